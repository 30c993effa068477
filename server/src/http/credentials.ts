// What a request shows about who sends it, and what is found out from that.
import type { IncomingHttpHeaders } from 'node:http'
import type { Actor } from '../access/audit.ts'
import type { Caller } from '../access/caller.ts'
import type { Session } from '../access/session.ts'
import type { AnnounceRate } from './limits/limiters.ts'

export interface Credentials {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly isSecure: boolean
  readonly address: string
  readonly requestId: string
  readonly announceRate: AnnounceRate
}

export interface Identity {
  /** Of a company's route. */
  readonly caller: Caller | undefined
  /** Who acts, where that is not a key. */
  readonly actor: Actor | undefined
  readonly session: Session | undefined
  /** Of a company's route: refuses if the caller may no longer make this call. It counts as no request. */
  readonly recheck?: () => Promise<void>
}
