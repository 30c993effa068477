// Types of pack-all.mjs, which the tests import.
export function packAll(folder: string, options?: { version?: string | undefined }): string[]
export function pack(workspace: string, options?: { version?: string | undefined }): { bytes: Buffer; fileName: string }
export function listChecksums(files: ReadonlyMap<string, Uint8Array>): string
