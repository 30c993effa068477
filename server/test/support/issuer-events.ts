// Sends the live issuer's events as the issuer would, and reads what an operator sees of them.
import { EVENTS_PATH, SIGNATURE_HEADER } from '../../src/issuer/http/protocol.ts'
import { sign } from '../../src/issuer/http/signature.ts'
import type { TestAnswer, TestCompany } from './harness.ts'
import { type LiveWorld, SECRET } from './live.ts'

export interface TestEvent {
  /** A new one when it is left out. */
  id?: string
  /** The company of the sender when it is left out. */
  companyId?: string
  type: string
  data: Record<string, unknown>
}

interface AuditEntry {
  actor: string
  action: string
  object: string
}

export class EventSender {
  readonly #world: LiveWorld
  readonly #company: TestCompany
  #count = 0

  constructor(world: LiveWorld, company: TestCompany) {
    this.#world = world
    this.#company = company
  }

  send(event: TestEvent, secret = SECRET): Promise<TestAnswer> {
    const { server } = this.#world
    this.#count += 1
    const fixed = { id: `late-${this.#count}`, createdAt: '2026-03-10T12:00:00Z', companyId: this.#company.wireId }
    const body = JSON.stringify({ ...fixed, ...event })
    const message = { direction: 'event', method: 'POST', path: EVENTS_PATH, body } as const
    const headers = {
      'content-type': 'application/json',
      [SIGNATURE_HEADER]: sign(secret, server.clock.now(), message),
    }
    return server.request('POST', EVENTS_PATH, { body, headers })
  }

  /** Sends one after the other and returns the statuses of the answers. */
  async sendAll(events: readonly TestEvent[]): Promise<number[]> {
    const statuses: number[] = []
    for (const event of events) statuses.push((await this.send(event)).status)
    return statuses
  }

  /** Returns what the audit log says the issuer did to an object, sorted: the clock stands still, so that time orders nothing. */
  async auditOf(id: string): Promise<string[]> {
    const { server } = this.#world
    const path = `/admin/v1/audit-log?limit=100&companyId=${this.#company.wireId}`
    const { body } = await server.get<{ data: AuditEntry[] }>(path, server.operatorToken)
    const entries = body.data.filter(({ actor, object }) => actor === 'issuer' && object === id)
    return entries.map(({ action }) => action).toSorted()
  }
}
