// What the use cases of funding need.
import type { Db } from '../db/pool.ts'
import type { Issuer } from '../issuer/port.ts'
import type { Clock } from '../lib/clock.ts'
import type { Environment } from '../lib/scope.ts'
import type { PayLinks } from './pay-link.ts'

export interface FundingDeps {
  db: Db
  clock: Clock
  payLinks: PayLinks
  /** Undefined for an environment without an issuer: nothing is ever accepted there. */
  issuers: Readonly<Record<Environment, Issuer | undefined>>
  /** A call that takes longer has an unknown outcome. */
  issuerTimeoutMs: number
}
