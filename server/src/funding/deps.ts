// The dependencies of the funding use cases.
import type { Db } from '../db/pool.ts'
import type { Gates } from '../issuer/gate.ts'
import type { Clock } from '../lib/clock.ts'
import type { PayLinks } from './pay-link.ts'

export interface FundingDeps {
  db: Db
  clock: Clock
  payLinks: PayLinks
  gates: Gates
  /** A call that takes longer has an unknown outcome. */
  issuerTimeoutMs: number
}
