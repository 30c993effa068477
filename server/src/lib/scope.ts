// A scope is a company and an environment. Every query on company data has one.
export const ENVIRONMENTS = ['sandbox', 'live'] as const
export type Environment = (typeof ENVIRONMENTS)[number]

export interface Scope {
  readonly companyId: string
  readonly environment: Environment
}
