// The rules of statements: the kinds of entries, the formats, and how many entries one statement may have.
export const ENTRY_KINDS = ['deposit', 'fee', 'reservation', 'capture', 'release', 'adjustment'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

export const FORMATS = ['json', 'csv', 'pdf'] as const
export type Format = (typeof FORMATS)[number]

/** SPEC: "Maximum range 366 days and 10,000 ledger entries". */
export const ENTRIES_MAX = 10_000
