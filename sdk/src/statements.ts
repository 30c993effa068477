// What `@cardstock/sdk/statements` offers: the check of a statement, and the definition of what a statement's hashes cover, from which the
// server writes statements. It is an entrance of its own, so that only programs that need it load it.
export { compareStatements, type StatementComparison, type StatementDifference } from './compare-statements.ts'
export { type ChainedEntry, chainStartText, chainText } from './statements/chain.ts'
export { DAY_MS, dayOf, findDay } from './statements/days.ts'
export { digestOf, type StatementFrame, writeFrame } from './statements/document.ts'
export { describeEntry, ENTRY_NUMBER_DIGITS, entryIds, entryIdStart, fitsKind } from './statements/entry.ts'
export { ENTRY_FIELDS } from './statements/fields.ts'
export type { StatementProblem } from './statements/shape.ts'
export { type StatementVerdict, verifyStatement } from './statements/verify.ts'
