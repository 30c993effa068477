// The same work as most teams would write it: one transaction per request, a pool of twenty connections, prepared
// statements. HTTP, authentication, validation, pricing, schema and answers are the server's own; only the intake differs.
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import type { AppOptions } from '../../server/src/app/parts.ts'
import type { Caller } from '../../server/src/access/caller.ts'
import type { Connection } from '../../server/src/db/pool.ts'
import type { Cents } from '../../server/src/lib/money.ts'
import type { NewOperation } from '../../server/src/operations/schema.ts'
import { loadKernel } from './compiled.ts'

const POOL_SIZE = 20

const LOCK = {
  name: 'lock',
  text: `select available, held, sequence, last_entry_at from account where company_id = $1 and environment = $2 for update`,
}
const FIND_KEY = {
  name: 'find-key',
  text: `select id, request_digest from operation where company_id = $1 and environment = $2 and idempotency_key = $3`,
}
const FIND_HOLDER = {
  name: 'find-holder',
  text: `select status, name from holder where company_id = $1 and environment = $2 and id = $3`,
}
const INSERT_OPERATION = {
  name: 'insert-operation',
  text: `with queued as (
           insert into issuer_request (company_id, environment, id, kind, status, due_at, held) values ($1, $2, $3, 'issue', 'queued', $11, $4::bigint + $5::bigint)
         )
         insert into operation (company_id, environment, id, type, status, amount, fee, product_id, holder_id, name, idempotency_key,
           request_digest, created_at, status_at, due_at)
         values ($1, $2, $3, 'issue', 'queued', $4, $5, $6, $7, $8, $9, $10, $11, $11, $11)`,
}
const INSERT_ENTRY = {
  name: 'insert-entry',
  text: `insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
         values ($1, $2, $3, 'reservation', $4, -$5::bigint, $5, $6, $7, $8)`,
}
const UPDATE_ACCOUNT = {
  name: 'update-account',
  text: `update account set available = available - $3, held = held + $3, sequence = sequence + 1, last_entry_at = $4,
           issued_count = case when issued_month = $5 then issued_count else 0 end + 1, issued_month = $5
         where company_id = $1 and environment = $2`,
}

type Kernel = Awaited<ReturnType<typeof loadKernel>>
type Issue = Extract<NewOperation, { type: 'issue' }>

interface AccountRow {
  available: string
  held: string
  sequence: string
  last_entry_at: Date
}

interface Order {
  id: string
  now: Date
  holderId: string
  amount: Cents
  fee: Cents
  digest: Buffer
}

export async function createNaive(options: AppOptions, connection: Connection): Promise<FastifyInstance> {
  const { db, clock, log, config, secretKey } = options
  const kernel = await loadKernel()
  const pool = new pg.Pool({ ...connection, max: POOL_SIZE, options: '-c jit=off -c timezone=UTC' })
  const keyring = await kernel.createKeyring({ db, clock, log, key: kernel.toSecretKeys(secretKey).lasting.tokens })
  const catalog = await kernel.createCatalog({ db, clock, log })
  const route = kernel.companyRoute(
    { anyOf: ['cards:write', 'services:write'], exactly: kernel.permissionFor, liveNeeds: 'liveServices' },
    {
      method: 'POST',
      path: '/api/v1/operations',
      tag: 'operations',
      id: 'createOperation',
      summary: 'Issue a card',
      description: 'A transaction for each request.',
      idempotent: true,
      body: kernel.NewOperation,
      responses: { 201: kernel.Operation },
      handle: async ({ caller, idempotencyKey, body }) => {
        if (body.type !== 'issue') throw kernel.notFound()
        const price = kernel.requirePrice(catalog, caller.scope.companyId, body.productId, 'issue')
        const { amount, fee } = kernel.requireQuote(price, body)
        const now = clock.now()
        const order = {
          id: kernel.newId(now),
          now,
          holderId: kernel.requireId('hld', body.holderId),
          amount,
          fee,
          digest: Buffer.from(kernel.payloadDigest(body), 'hex'),
        }
        await accept(kernel, pool, caller, { order, idempotencyKey, body })
        const wire = kernel.toQueuedOperation({ id: order.id, type: 'issue', amount, fee, createdAt: now })
        return kernel.created(`/api/v1/operations/${wire.id}`, wire)
      },
    },
  )
  const nothing = async () => undefined
  const nobody = { cached: () => undefined, now: nothing, later: nothing, touch: nothing }
  const authenticate = kernel.createAuthenticate({
    keyring,
    sessions: nobody,
    clock,
    limits: config.limits,
    publicUrl: undefined,
    hasLiveIssuer: false,
  })
  const metrics = kernel.createMetrics()
  return kernel.createServer({ routes: [route], authenticate, metrics, clock, log })
}

interface Request {
  order: Order
  idempotencyKey: string
  body: Issue
}

async function accept(kernel: Kernel, pool: pg.Pool, caller: Caller, request: Request): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await reserve(kernel, client, caller, request)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function reserve(kernel: Kernel, client: pg.PoolClient, { scope }: Caller, request: Request): Promise<void> {
  const { order, idempotencyKey, body } = request
  const account = [scope.companyId, scope.environment]
  const locked = await client.query<AccountRow>({ ...LOCK, values: account })
  const row = locked.rows[0] as AccountRow
  const known = await client.query({ ...FIND_KEY, values: [...account, idempotencyKey] })
  if (known.rows.length > 0) throw new kernel.ApiError('idempotency_conflict', 'This key was used before.')
  const holders = await client.query<{ status: string; name: string }>({
    ...FIND_HOLDER,
    values: [...account, order.holderId],
  })
  const holder = holders.rows[0]
  if (holder === undefined) throw kernel.notFound()
  if (holder.status !== 'active') throw new kernel.ApiError('holder_not_active', 'The holder is not active.')
  const total = order.amount + order.fee
  const available = BigInt(row.available)
  const held = BigInt(row.held)
  if (available < total) throw new kernel.ApiError('insufficient_funds', 'Fund the account first.')
  const at = order.now > row.last_entry_at ? order.now : row.last_entry_at
  const month = `${order.now.toISOString().slice(0, 7)}-01`
  const name = body.name ?? holder.name.slice(0, 64)
  const { id, amount, fee, holderId, digest, now } = order
  await client.query({
    ...INSERT_OPERATION,
    values: [...account, id, amount, fee, body.productId, holderId, name, idempotencyKey, digest, now],
  })
  const number = BigInt(row.sequence) + 1n
  await client.query({ ...INSERT_ENTRY, values: [...account, number, id, total, available + held, held + total, at] })
  await client.query({ ...UPDATE_ACCOUNT, values: [...account, total, at, month] })
}
