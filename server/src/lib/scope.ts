// Whose data, and in which of the two worlds. Every query on company data carries one.
export const ENVIRONMENTS = ['sandbox', 'live'] as const
export type Environment = (typeof ENVIRONMENTS)[number]

export interface Scope {
  readonly companyId: string
  readonly environment: Environment
}
