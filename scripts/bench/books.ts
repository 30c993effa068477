// Measures the reading side: a full statement against the bare driver, the streamed list of cards, and lists that must
// not slow down as they grow. Starts its own database and server; prints a table; fails when a bound is broken.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createCompany, createKey, decideVerification } from '../../server/src/access/companies.ts'
import { PERMISSIONS } from '../../server/src/access/permissions.ts'
import { createApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { startEmbedded } from '../../server/src/db/embedded/start.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { createPool } from '../../server/src/db/pool.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { createLog } from '../../server/src/lib/log.ts'

const FEW = 10_000
const MANY = 1_000_000
const STREAMED = 100_000
const ENTRIES = 10_000
const ROUNDS = 25
/** Each round of a list asks this often, this many at a time. */
const REQUESTS = 400
const CONCURRENCY = 8

interface Bench {
  baseUrl: string
  sql: pg.Client
  addCompany(): Promise<{ id: string; key: string }>
}

async function main(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock bench '))
  const database = await startEmbedded({ folder: join(folder, 'postgres'), durable: false, log: () => undefined })
  await migrate(database.connection)
  const db = createPool(database.connection, { size: 10, onError: () => undefined })
  const limits = {
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
    STATEMENT_RATE_LIMIT_PER_SECOND: '1000000',
  }
  const log = createLog({ level: 'error' })
  const app = await createApp({
    db,
    clock: systemClock,
    log,
    config: readConfig(limits),
    secretKey: Buffer.alloc(32, 1),
    role: 'api',
  })
  const baseUrl = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const sql = new pg.Client({ ...database.connection, options: '-c jit=off -c timezone=UTC' })
  await sql.connect()
  const addCompany = async () => {
    const access = { db, clock: systemClock, keyring: app.keyring }
    const actor = { name: 'bench', address: null, requestId: null }
    const { id } = await createCompany(access, actor, { name: 'Bench', kind: 'corporate' })
    await decideVerification(access, actor, id, { decision: 'approve' })
    const { key } = await createKey(access, actor, id, { environment: 'sandbox', name: 'bench', scopes: PERMISSIONS })
    return { id, key }
  }
  try {
    const bench = { baseUrl, sql, addCompany }
    const results = [...(await benchStatements(bench)), ...(await benchLists(bench))]
    for (const { what, value, bound, holds } of results)
      console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}: ${value} (${bound})`)
    return results.every(({ holds }) => holds)
  } finally {
    await sql.end()
    await app.close()
    await db.close()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Result {
  what: string
  value: string
  bound: string
  holds: boolean
}

/** The day of the first entry; one day has ENTRIES of them. */
const FIRST_DAY = Date.parse('2025-01-01T00:00:00Z')
const DAY_MS = 86_400_000
const dayOf = (index: number) => new Date(FIRST_DAY + index * DAY_MS).toISOString().slice(0, 10)

async function fillEntries({ sql }: Bench, company: string, count: number): Promise<void> {
  await sql.query(
    `insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
     select $1, 'sandbox', n, (array['reservation', 'capture', 'fee', 'deposit'])[1 + n % 4], gen_random_uuid(),
            (array[-500, 0, 0, 500])[1 + n % 4], (array[500, -480, -20, 0])[1 + n % 4], 1000000, 1000,
            timestamptz '2025-01-01 00:00:00Z' + (n - 1) * interval '8.64 seconds'
     from generate_series(1, $2) n`,
    [company, count],
  )
  await sql.query(
    `update account set sequence = $2, available = 999000, held = 1000, last_entry_at = (select max(created_at) from entry where company_id = $1)
     where company_id = $1 and environment = 'sandbox'`,
    [company, count],
  )
  await sql.query('vacuum analyze entry')
  for (let sealed = 1; sealed > 0;) {
    const { rows } = await sql.query<{ n: string }>(`select seal_entries($1, now(), 'sandbox', 5000) as n`, [company])
    sealed = Number(rows[0]?.n)
  }
}

async function benchStatements(bench: Bench): Promise<Result[]> {
  const [short, long] = [await bench.addCompany(), await bench.addCompany()]
  await fillEntries(bench, short.id, ENTRIES)
  await fillEntries(bench, long.id, MANY)
  const statement = (company: { key: string }, day: number, query = '') =>
    download(bench, company.key, `/api/v1/account-statements?from=${dayOf(day)}&to=${dayOf(day)}${query}`)
  const bare = async (company: { id: string }, day: number) => {
    const { rows } = await bench.sql.query({
      name: 'bare',
      text: `select number, kind, reference, available_delta, held_delta, balance, held, created_at from entry
             where company_id = $1 and environment = 'sandbox' and number between $2 and $3 order by number`,
      values: [company.id, day * ENTRIES + 1, (day + 1) * ENTRIES],
    })
    if (rows.length !== ENTRIES) throw new Error(`${rows.length} rows`)
  }
  const lastDay = MANY / ENTRIES - 1
  const times = await interleave(ROUNDS, {
    bare: () => bare(long, lastDay),
    json: () => statement(long, lastDay),
    shortHistory: () => statement(short, 0),
    csv: () => statement(long, lastDay, '&format=csv'),
  })
  const startedMs = performance.now()
  const pdf = await statement(long, lastDay, '&format=pdf')
  const pdfMs = performance.now() - startedMs
  const ratio = times.json / times.bare
  const growth = times.json / times.shortHistory
  return [
    {
      what: `statement of ${ENTRIES} entries, JSON ${ms(times.json)} against the bare driver ${ms(times.bare)}`,
      value: ratio.toFixed(2),
      bound: 'at most 1.5',
      holds: ratio <= 1.5,
    },
    {
      what: `the same with a history of ${MANY} entries against ${ENTRIES}`,
      value: growth.toFixed(2),
      bound: 'at most 1.25',
      holds: growth <= 1.25,
    },
    { what: 'the same as CSV', value: ms(times.csv), bound: 'for information', holds: true },
    { what: `the same as PDF, ${(pdf / 1e6).toFixed(1)} MB`, value: ms(pdfMs), bound: 'for information', holds: true },
  ]
}

async function benchLists(bench: Bench): Promise<Result[]> {
  const [few, many] = [await bench.addCompany(), await bench.addCompany()]
  await fillCards(bench, few.id, FEW)
  await fillCards(bench, many.id, MANY)
  await bench.sql.query('vacuum analyze card')
  await bench.sql.query('vacuum analyze transaction')
  const results: Result[] = []
  const lists = {
    'transactions, first page': '/api/v1/transactions?limit=50',
    'transactions, one type': '/api/v1/transactions?limit=50&type=refund',
    'cards, first page': '/api/v1/cards?limit=50',
    'cards, one status': '/api/v1/cards?limit=50&status=frozen',
  }
  for (const [what, path] of Object.entries(lists)) results.push(await compareRates(bench, what, { few, many, path }))
  for (const list of ['transactions', 'cards']) {
    const path = async (company: { key: string }) => {
      const first = await fetchJson<{ nextCursor: string }>(bench, company.key, `/api/v1/${list}?limit=50`)
      return `/api/v1/${list}?limit=50&cursor=${first.nextCursor}`
    }
    const paths = { few: await path(few), many: await path(many) }
    results.push(await compareRates(bench, `${list}, second page`, { few, many, paths }))
  }
  const streamed = await bench.addCompany()
  await fillCards(bench, streamed.id, STREAMED, { transactions: false })
  results.push(await measureStream(bench, streamed.key))
  return results
}

async function fillCards({ sql }: Bench, company: string, count: number, { transactions = true } = {}): Promise<void> {
  const id = `encode(substring(int8send(1735689600000 + n * 20) from 3) || substring(uuid_send(gen_random_uuid()) from 7), 'hex')::uuid`
  await sql.query(
    `with h as (
       insert into holder (company_id, environment, id, name, email, kind, status, created_at)
       values ($1, 'sandbox', gen_random_uuid(), 'Bench', 'bench@example.com', 'individual', 'active', now()) returning id
     )
     insert into card (company_id, environment, id, holder_id, product_id, name, last4, status, balance, created_at)
     select $1, 'sandbox', ${id}, h.id, 'prod_card_virtual', 'Card ' || n, lpad((n % 10000)::text, 4, '0'),
            case when n % 100 = 0 then 'frozen' else 'active' end, n, timestamptz '2025-01-01 00:00:00Z' + n * interval '20 ms'
     from h, generate_series(1, $2) n`,
    [company, count],
  )
  if (!transactions) return
  await sql.query(
    `insert into transaction (company_id, environment, id, card_id, issuer_id, type, status, amount, currency, card_amount, applied,
                              merchant, country, description, occurred_at, created_at, updated_at)
     select $1, 'sandbox', ${id}, c.id, n::text, case when n % 50 = 0 then 'refund' else 'purchase' end, 'settled', -n, 'USD', -n, 0,
            'Merchant', 'DE', 'Bench', timestamptz '2025-01-01 00:00:00Z' + (n * 7919 % $2) * interval '20 ms', now(), now()
     from generate_series(1, $2::bigint) n
     join (select id, row_number() over () as r from card where company_id = $1 limit 1000) c on c.r = 1 + n % least(1000, $2)`,
    [company, count],
  )
}

interface Company {
  key: string
}

async function compareRates(
  bench: Bench,
  what: string,
  {
    few,
    many,
    path = '',
    paths = { few: path, many: path },
  }: { few: Company; many: Company; path?: string; paths?: { few: string; many: string } },
): Promise<Result> {
  const ask = (company: Company, where: string) => async () => {
    let left = REQUESTS
    const worker = async () => {
      while ((left -= 1) >= 0) await download(bench, company.key, where)
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  }
  const times = await interleave(9, { few: ask(few, paths.few), many: ask(many, paths.many) })
  const ratio = times.few / times.many
  const rate = (time: number) => `${Math.round((REQUESTS / time) * 1000)}/s`
  return {
    what: `${what}: ${rate(times.few)} of ${FEW} rows, ${rate(times.many)} of ${MANY}`,
    value: ratio.toFixed(3),
    bound: 'at least 0.95',
    holds: ratio >= 0.95,
  }
}

/** Counts the bytes without keeping them; the memory is the whole process', client included. */
async function measureStream(bench: Bench, key: string): Promise<Result> {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let [bytes, peak] = [0, before]
  const response = await fetch(`${bench.baseUrl}/api/v1/cards`, { headers: { authorization: `Bearer ${key}` } })
  if (response.body === null) throw new Error('no body')
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    peak = Math.max(peak, process.memoryUsage().rss)
  }
  const grown = (peak - before) / 1e6
  return {
    what: `${STREAMED} cards streamed, ${(bytes / 1e6).toFixed(1)} MB`,
    value: `${grown.toFixed(1)} MB more memory at the peak`,
    bound: 'at most 64 MB',
    holds: grown <= 64 && bytes > STREAMED * 200,
  }
}

async function download({ baseUrl }: Bench, key: string, path: string): Promise<number> {
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` } })
  const { byteLength } = await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return byteLength
}

async function fetchJson<Body>({ baseUrl }: Bench, key: string, path: string): Promise<Body> {
  return (await (await fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` } })).json()) as Body
}

/** The median time of each, taken in turns, so that a slow moment of the machine hits them all. */
async function interleave<Name extends string>(
  rounds: number,
  work: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(work) as Name[]
  const times = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let round = -2; round < rounds; round += 1) {
    for (const name of names) {
      const startedMs = performance.now()
      await work[name]()
      if (round >= 0) times.get(name)?.push(performance.now() - startedMs)
    }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>
}

const ms = (time: number) => `${time.toFixed(1)} ms`

process.exitCode = (await main()) ? 0 : 1
