// Mutants that no test can notice, because they change nothing that anybody could see, each with the reason.

export const EQUIVALENT: ReadonlyMap<string, string> = new Map([])
