// The clients: companies that order, repeat their requests with the same key or with another body, fund their accounts and
// revoke keys; and an operator who decides reviews. They keep what they sent and what they were answered.
import { programActor } from '../../../src/access/audit.ts'
import { createCompany, decideVerification } from '../../../src/companies/companies.ts'
import { createKey, revokeKey } from '../../../src/keys/keys.ts'
import { PERMISSIONS } from '../../../src/access/permissions.ts'
import { ApiError } from '../../../src/errors.ts'
import { isUnavailable } from '../../../src/db/unavailable.ts'
import { sql } from '../../../src/db/sql.ts'
import { insertHolder } from '../../../src/holders/queries.ts'
import { deposit } from '../../../src/ledger/deposit.ts'
import { keyedDigest, deriveKey } from '../../../src/lib/digest.ts'
import { findId, formatId, newId } from '../../../src/lib/ids.ts'
import { must } from '../../../src/lib/invariant.ts'
import { cents, parseCents, ZERO } from '../../../src/lib/money.ts'
import { type Environment, ENVIRONMENTS, type Scope } from '../../../src/lib/scope.ts'
import { operationReviewKind } from '../../../src/operations/review.ts'
import { resolveReview } from '../../../src/reviews/source.ts'
import { listOperationsInReview } from '../../../src/operations/queries.ts'
import { createEndpoint } from '../../../src/webhooks/endpoints.ts'
import type { ClientAnswer, ClientRequest, ListWalk, Revocation } from '../judge/evidence.ts'
import { forgeEvent } from './issuer-reports.ts'
import { SECRET_KEY, webhookBox } from './node.ts'
import type { World } from './world.ts'

const ACTOR = programActor('operator')
/** A client that got no answer sends its request again within this time. */
const PATIENCE_MS = 40_000

interface Key {
  readonly id: string
  readonly token: string
}

interface Account {
  readonly scope: Scope
  readonly holderId: string
  key: Key
  /** A key that was revoked, which some programs still use. */
  oldKey?: Key
}

type Sent = { -readonly [Name in keyof ClientRequest]: ClientRequest[Name] }

export class Clients {
  readonly requests: Sent[] = []
  readonly revocations: Revocation[] = []
  readonly walks: ListWalk[] = []
  readonly #accounts: Account[] = []
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Companies with an account in each environment, funds, holders and endpoints. Nothing fails here. */
  async setUp(): Promise<void> {
    const { database, options, time: clock } = this.#world
    const deps = { db: database.direct(), clock, keyring: directKeyring() }
    for (let number = 0; number < options.companies; number += 1) {
      const { id: companyId } = await createCompany(deps, ACTOR, { name: `Company ${number}`, kind: 'individual' })
      await decideVerification(deps, ACTOR, companyId, { decision: 'approve' })
      for (const environment of ENVIRONMENTS) {
        const scope = { companyId, environment }
        await deposit(deps, scope, { amount: cents(options.funds), fee: ZERO, idempotencyKey: 'first', digest: '00' })
        const holderId = await this.#addHolder(scope)
        this.#accounts.push({ scope, holderId, key: await this.#addKey(scope) })
        for (let endpoint = 0; endpoint < options.endpoints; endpoint += 1) await this.#addEndpoint(scope)
      }
    }
  }

  async #addHolder(scope: Scope): Promise<string> {
    const now = this.#world.time.now()
    const id = newId(now)
    const holder = { name: 'Ada', email: 'ada@example.com', kind: 'individual', status: 'active' } as const
    const rest = { external_id: null, idempotency_key: null, request_digest: null, created_at: now }
    await insertHolder(this.#world.database.direct(), scope, { id, ...holder, ...rest })
    return id
  }

  async #addKey({ companyId, environment }: Scope): Promise<Key> {
    const { database, time: clock } = this.#world
    const deps = { db: database.direct(), clock, keyring: directKeyring() }
    const { key: token, row } = await createKey(deps, ACTOR, companyId, {
      environment,
      name: 'key',
      scopes: PERMISSIONS,
    })
    return { id: row.id, token }
  }

  async #addEndpoint(scope: Scope): Promise<void> {
    const { database, receivers, time: clock } = this.#world
    const path = `/hooks/${receivers.endpoints.size}`
    const rules = { allowPrivateAddresses: true, ownHosts: [] }
    const deps = { db: database.direct(), clock, secretBox: webhookBox(), urlRules: rules }
    const { endpoint } = await createEndpoint(deps, scope, { url: `https://receiver.example${path}` })
    receivers.endpoints.set(path, endpoint.id)
  }

  /** Does one thing that a client or an operator does, drawn from the seed. */
  async act(): Promise<void> {
    const { clients } = this.#world.random
    const account = this.#pickAccount()
    const action = clients.weighted({ order: 50, storm: 10, repeat: 18, invoice: 8, revoke: 3, decide: 8, forge: 3 })
    switch (action) {
      case 'order':
        return this.#order(account)
      case 'storm':
        return this.#storm(account)
      case 'repeat':
        return this.#repeat()
      case 'invoice':
        return this.#send({
          ...this.#request(account, 'invoice', `inv-${this.requests.length}`),
          payload: JSON.stringify({ amount: '50.00' }),
        })
      case 'revoke':
        return this.#revoke(account)
      case 'decide':
        return this.decide()
      case 'forge':
        return this.#forge()
    }
  }

  #pickAccount(): Account {
    const { random, options } = this.#world
    const environment: Environment = random.clients.chance(options.liveShare) ? 'live' : 'sandbox'
    return random.clients.pick(this.#accounts.filter(({ scope }) => scope.environment === environment))
  }

  #request({ scope, key }: Account, object: Sent['object'], idempotencyKey: string): Sent {
    return { ...scope, object, idempotencyKey, payload: '', keyId: key.id, sentAtMs: this.#world.time.nowMs }
  }

  async #order(account: Account): Promise<void> {
    const { random, database } = this.#world
    const { companyId, environment } = account.scope
    const { clients } = random
    const amount = `${clients.between(10, 60)}.00`
    const cards = await database.direct().many<{ id: string }>(sql`
      select id from card where company_id = ${companyId} and environment = ${environment} and status = 'active' order by id limit 5`)
    const type = clients.weighted({ issue: 3, service: 5, topup: cards.length > 0 ? 3 : 0 })
    const bodies = {
      issue: () => ({ type, productId: 'prod_card_virtual', holderId: formatId('hld', account.holderId), amount }),
      topup: () => ({ type, cardId: formatId('card', clients.pick(cards).id), amount }),
      service: () => ({
        type,
        productId: 'prod_service_esim',
        recipient: clients.weighted({ ada: 8, fail: 1, unknown: 1 }),
        amount,
      }),
    }
    // The environments share idempotency keys, which must not conflict.
    const idempotencyKey = `key-${clients.between(0, 150)}`
    const request = this.#request(account, 'operation', idempotencyKey)
    return this.#send({ ...request, payload: JSON.stringify(bodies[type]()) })
  }

  /** Sends several requests at once, each to any node. Some repeat the first one. */
  async #storm(account: Account): Promise<void> {
    const { clients } = this.#world.random
    await this.#order(account)
    const last = this.requests.at(-1)
    for (let number = 0; number < 2; number += 1) {
      if (last !== undefined && clients.chance(0.5)) await this.#resend(last)
      else await this.#order(account)
    }
  }

  /** Sends an earlier request again, as it was or with another amount. */
  async #repeat(): Promise<void> {
    const { clients } = this.#world.random
    if (this.requests.length === 0) return
    const original = clients.pick(this.requests)
    const payload = clients.chance(0.7) ? original.payload : original.payload.replace(/"amount":"\d+/, '"amount":"11')
    return this.#resend({ ...original, payload })
  }

  #resend({ companyId, environment, object, idempotencyKey, payload }: ClientRequest): Promise<void> {
    const account = must(
      this.#accounts.find(({ scope }) => scope.companyId === companyId && scope.environment === environment),
    )
    return this.#send({ ...this.#request(account, object, idempotencyKey), payload })
  }

  async #send(request: Sent, sends = 1): Promise<void> {
    const { time, random } = this.#world
    const account = must(
      this.#accounts.find(
        ({ scope }) => scope.companyId === request.companyId && scope.environment === request.environment,
      ),
    )
    const key = account.oldKey !== undefined && random.clients.chance(0.4) ? account.oldKey : account.key
    request.keyId = key.id
    const nodes = this.#world.readyNodes()
    if (nodes.length > 0) {
      this.requests.push(request)
      const node = random.clients.pick(nodes)
      const [name, body] = [
        request.object === 'invoice' ? 'createInvoice' : 'createOperation',
        JSON.parse(request.payload) as unknown,
      ]
      const work = async () => {
        const caller = node.parts.keyring.callers.cached(key.token) ?? (await node.parts.keyring.callers.now(key.token))
        if (caller === undefined || caller.revokedAt !== null) throw new ApiError('invalid_api_key', 'revoked')
        const quota = { issuanceQuota: this.#world.options.quota }
        return node.parts.call(name, { caller: { ...caller, ...quota }, idempotencyKey: request.idempotencyKey, body })
      }
      await time.enter(node, () => void this.#keep(request, work()))
    }
    const retry = () =>
      request.answer === undefined && sends < 3
        ? this.#send({ ...request, sentAtMs: time.nowMs }, sends + 1)
        : undefined
    const atMs = time.nowMs + random.clients.between(2_000, PATIENCE_MS)
    if (random.clients.chance(0.7))
      time.add({ label: 'client looks for its answer', life: undefined, atMs, run: retry })
  }

  async #keep(request: Sent, answering: Promise<{ body?: unknown }>): Promise<void> {
    const answer = await answering.then(
      ({ body }): ClientAnswer => ({
        kind: 'accepted',
        id: must(findId(request.object === 'invoice' ? 'inv' : 'op', (body as { id: string }).id)),
      }),
      (error: unknown) => this.#refusalOf(request, error),
    )
    if (answer === undefined) return
    request.answer = answer
    request.answeredAtMs = this.#world.time.nowMs
    this.#world.count(`answer to a client: ${answer.kind === 'refused' ? answer.code : answer.kind}`)
  }

  /** Undefined if the client does not know what became of its request. */
  #refusalOf(request: Sent, error: unknown): ClientAnswer | undefined {
    if (isUnavailable(error)) return undefined
    if (!(error instanceof ApiError)) {
      this.#world.failures.push(
        `a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      )
      return { kind: 'refused', code: 'internal_error' }
    }
    if (error.code === 'unavailable') return undefined
    if (error.code === 'idempotency_conflict') return { kind: 'conflict' }
    const required = (error.details as { required?: string } | undefined)?.required
    if (required !== undefined) request.total = parseCents(required)
    return { kind: 'refused', code: error.code }
  }

  /** Revokes a key on one node, and continues with a new key. The other nodes must notice the revocation. */
  async #revoke(account: Account): Promise<void> {
    const { time, random } = this.#world
    const nodes = this.#world.readyNodes()
    if (nodes.length === 0 || account.oldKey !== undefined) return
    const { parts, ...node } = random.clients.pick(nodes)
    const old = account.key
    const deps = { db: parts.db, clock: time, keyring: parts.keyring }
    const life = must(this.#world.nodes.find(({ name }) => name === node.name))
    account.key = await this.#addKey(account.scope)
    account.oldKey = old
    const revoked = () => void this.revocations.push({ keyId: old.id, atMs: time.nowMs })
    const revoking = () => void revokeKey(deps, ACTOR, account.scope.companyId, old.id).then(revoked, () => undefined)
    await time.enter(life, revoking)
  }

  /** An operator decides the oldest live review, by what the issuer really did. */
  async decide(): Promise<void> {
    const { time, random, issuer, options } = this.#world
    const nodes = this.#world.readyNodes()
    if (nodes.length === 0 || !random.clients.chance(options.operatorRate)) return
    const node = random.clients.pick(nodes)
    const work = async () => {
      const [row] = await listOperationsInReview(node.parts.db, {
        after: '00000000-0000-0000-0000-000000000000',
        environment: 'live',
        limit: 1,
      } as never)
      if (row === undefined) return
      const isDone = issuer.effects.some(({ token }) => token === row.id)
      const decision = isDone
        ? { outcome: 'completed', last4: '4242', reason: 'asked' }
        : { outcome: 'failed', reason: 'asked' }
      const kind = operationReviewKind(node.parts)
      await resolveReview({ db: node.parts.db, clock: time }, kind, row, { actor: ACTOR, decision: decision as never })
      this.#world.count('operator decided a review')
    }
    await time.enter(must(this.#world.nodes[node.slot]), () => void work().catch(() => undefined))
  }

  async #forge(): Promise<void> {
    const rows = await this.#world.database.direct().many<{
      id: string
      company_id: string
      type: string
      amount: bigint
    }>(sql`
      select id, company_id, type, amount from operation
      where environment = 'live' and status in ('processing', 'manual_review') order by id limit 1`)
    const [row] = rows
    if (row === undefined) return
    forgeEvent(this.#world, row.company_id, { id: row.id, type: row.type, amount: `${row.amount / 100n}.00` })
  }

  /** Reads the operations of an account page by page, and tries a cursor with other filters than its own. */
  async walk(): Promise<void> {
    const { time, scheduler, database } = this.#world
    const node = must(this.#world.readyNodes()[0])
    for (const { scope } of this.#accounts.slice(0, 2)) {
      const expected = await database.direct().many<{ id: string }>(sql`
        select id from operation where company_id = ${scope.companyId} and environment = ${scope.environment} and type = 'service'
        order by id desc`)
      const seen: string[] = []
      let foreign: string[] | undefined
      const list = async (query: object) => {
        const answer = (await node.parts.call('listOperations', { caller: { scope }, query })) as unknown as {
          produce(): Promise<Listed>
        }
        return answer.produce()
      }
      const work = async () => {
        let cursor: string | null | undefined
        for (let page = 0; page < 30 && cursor !== null; page += 1) {
          const listed: Listed = await list({ type: 'service', limit: 3, ...(cursor === undefined ? {} : { cursor }) })
          seen.push(...listed.data.map(({ id }) => findId('op', id) ?? id))
          if (listed.nextCursor !== null && foreign === undefined) {
            foreign = await list({ type: 'issue', limit: 3, cursor: listed.nextCursor }).then(
              () => ['a page'],
              () => [],
            )
          }
          cursor = listed.nextCursor
        }
      }
      await time.enter(
        must(this.#world.nodes[node.slot]),
        () => void work().catch((error: unknown) => this.#world.failures.push(String(error))),
      )
      while (await scheduler.runOne());
      const name = `${scope.companyId}/${scope.environment}`
      this.walks.push({ what: `the list of services of ${name}`, expected: expected.map(({ id }) => id), seen })
      this.walks.push({
        what: `a list of ${name} with the cursor of another filter`,
        expected: [],
        seen: foreign ?? [],
      })
    }
  }
}

interface Listed {
  readonly data: readonly { readonly id: string }[]
  readonly nextCursor: string | null
}

/** Returns the part of a keyring that setting up needs. */
function directKeyring() {
  const key = deriveKey(SECRET_KEY, 'tokens')
  return { digest: (token: string) => keyedDigest(key, token), forget: () => {} } as never
}
