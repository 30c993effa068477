// The facts about statements that all of their code shares.
export const ENTRY_KINDS = ['deposit', 'fee', 'reservation', 'capture', 'release', 'adjustment'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

export const FORMATS = ['json', 'csv', 'pdf'] as const
export type Format = (typeof FORMATS)[number]
