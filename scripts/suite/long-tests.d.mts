export declare const LONG_TESTS: readonly string[]
export declare const SHORT_VARIABLE: string
export declare function isLong(path: string): boolean
export declare function listTestFiles(folders?: readonly string[]): string[]
