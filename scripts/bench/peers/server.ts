// A peer of the server in a process of its own: fastify that checks the same request with a schema and stores nothing, or that records one pending
// transfer in TigerBeetle before it answers. It knows neither prices nor holders, and looks a key up in a map.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import fastify from 'fastify'
import { serveMessages } from '../processes.ts'

export interface PeerStart {
  /** The keys of the companies. Each has an account. */
  readonly keys: readonly string[]
  /** Undefined: nothing is stored. */
  readonly tigerBeetle: { readonly client: string; readonly port: number } | undefined
}

/** What is used of tigerbeetle-node, which the machine that measures has and this project does not. */
interface TigerBeetleClient {
  createAccounts(accounts: readonly object[]): Promise<readonly object[]>
  createTransfers(transfers: readonly object[]): Promise<readonly { readonly status: number }[]>
}
interface TigerBeetle {
  createClient(options: { cluster_id: bigint; replica_addresses: readonly string[] }): TigerBeetleClient
  id(): bigint
  AccountFlags: { debits_must_not_exceed_credits: number }
  TransferFlags: { pending: number }
  CreateTransferStatus: { created: number }
}

const CREATED = 201
const LEDGER = 1
const CODE = 1
const BANK = 1n
const PROGRAMME = 2n
/** The ids of the companies' accounts begin here. */
const FIRST_ACCOUNT = 1_000n
const DEPOSIT = 1_000_000_000_000n
const AMOUNT = 1_302n

const BODY = {
  type: 'object',
  required: ['type', 'productId', 'holderId', 'amount'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', enum: ['issue'] },
    productId: { type: 'string', maxLength: 100 },
    holderId: { type: 'string', maxLength: 100 },
    amount: { type: 'string', pattern: String.raw`^\d{1,9}\.\d\d$` },
  },
} as const
const ANSWER = {
  type: 'object',
  properties: { id: { type: 'string' }, status: { type: 'string' }, amount: { type: 'string' } },
} as const

async function start({ keys, tigerBeetle }: PeerStart): Promise<number> {
  const accounts = new Map(keys.map((key, index) => [`Bearer ${key}`, FIRST_ACCOUNT + BigInt(index)]))
  const record = tigerBeetle === undefined ? undefined : await openTigerBeetle(tigerBeetle, [...accounts.values()])
  const server = fastify()
  let count = 0
  server.post<{ Body: { amount: string } }>(
    '/api/v1/operations',
    { schema: { body: BODY, response: { [CREATED]: ANSWER } } },
    async (request, reply) => {
      const account = accounts.get(request.headers.authorization ?? '')
      if (account === undefined) return reply.code(401).send()
      if (record !== undefined) await record(account)
      count += 1
      return reply.code(CREATED).send({ id: `op_${count}`, status: 'queued', amount: request.body.amount })
    },
  )
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Returns a function that resolves when a transfer of the account is stored. The client joins what is asked at the same time. */
async function openTigerBeetle(
  { client: folder, port }: NonNullable<PeerStart['tigerBeetle']>,
  ids: readonly bigint[],
): Promise<(account: bigint) => Promise<void>> {
  const { createClient, id, AccountFlags, TransferFlags, CreateTransferStatus } = createRequire(
    join(folder, 'index.js'),
  )('tigerbeetle-node') as TigerBeetle
  const client = createClient({ cluster_id: 0n, replica_addresses: [`127.0.0.1:${port}`] })
  const account = (own: bigint, flags: number) => ({
    id: own,
    debits_pending: 0n,
    debits_posted: 0n,
    credits_pending: 0n,
    credits_posted: 0n,
    user_data_128: 0n,
    user_data_64: 0n,
    user_data_32: 0,
    reserved: 0,
    ledger: LEDGER,
    code: CODE,
    flags,
    timestamp: 0n,
  })
  const transfer = (from: bigint, to: bigint, amount: bigint, flags: number) => ({
    id: id(),
    debit_account_id: from,
    credit_account_id: to,
    amount,
    pending_id: 0n,
    user_data_128: 0n,
    user_data_64: 0n,
    user_data_32: 0,
    timeout: 0,
    ledger: LEDGER,
    code: CODE,
    flags,
    timestamp: 0n,
  })
  const companies = ids.map((own) => account(own, AccountFlags.debits_must_not_exceed_credits))
  await client.createAccounts([account(BANK, 0), account(PROGRAMME, 0), ...companies])
  await client.createTransfers(ids.map((own) => transfer(BANK, own, DEPOSIT, 0)))
  return async (own) => {
    const [stored] = await client.createTransfers([transfer(own, PROGRAMME, AMOUNT, TransferFlags.pending)])
    if (stored?.status !== CreateTransferStatus.created) throw new Error(`TigerBeetle refused it: ${stored?.status}`)
  }
}

serveMessages((message) => start(message as PeerStart))
