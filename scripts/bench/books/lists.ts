// Measures lists of cards and card payments: pages per second of a long list against a short one, and memory while the
// whole list is streamed.
import { type Bench, startServer } from '../bench.ts'
import { residentMb } from '../processes.ts'
import { format, type Rounds } from '../rounds.ts'
import { type Company, seedCompanies } from '../seed.ts'
import { download } from '../download.ts'
import { pagesPerSecond } from '../pages.ts'
import { FIRST_DAY, seedCards, seedTransactions, vacuum } from './seed.ts'

export const FEW = 10_000
export const MANY = 1_000_000
export const STREAMED = 100_000
/** A round of a list is short, so there are this many times more of them. */
export const ROUNDS_FACTOR = 8

export const LISTS = {
  'transactions, first page': '/api/v1/transactions?limit=50',
  'transactions, one type': '/api/v1/transactions?limit=50&type=refund',
  'transactions, second page': '/api/v1/transactions?limit=50&cursor=',
  'cards, first page': '/api/v1/cards?limit=50',
  'cards, one status': '/api/v1/cards?limit=50&status=frozen',
  'cards, second page': '/api/v1/cards?limit=50&cursor=',
} as const

export async function measureLists(bench: Bench, rounds: Rounds): Promise<{ streamMb: number; grownMb: number }> {
  const { db } = bench
  const companies = await seedCompanies(db, 3, { funded: false, createdAt: FIRST_DAY })
  const [few, many, streamed] = companies as [Company, Company, Company]
  for (const [company, count] of [
    [few, FEW],
    [many, MANY],
  ] as const) {
    await seedCards(db, company, count)
    await seedTransactions(db, company, count)
    bench.note(`${count.toLocaleString('en')} cards and payments written`)
  }
  await seedCards(db, streamed, STREAMED)
  await vacuum(db, 'card')
  await vacuum(db, 'transaction')
  const { port, child } = await startServer(bench, 'engine')
  const stream = await measureStream(port, streamed, child.pid)
  for (const [name, path] of Object.entries(LISTS)) {
    const [ofFew, ofMany] = [await openPage(port, few, path), await openPage(port, many, path)]
    if (ofFew.bytes !== ofMany.bytes) throw new Error(`${name}: pages of ${ofFew.bytes} and ${ofMany.bytes} bytes`)
    const variants = [
      { name: `${name}, few`, measure: () => pagesPerSecond(() => download(port, few.key, ofFew.path)) },
      { name: `${name}, many`, measure: () => pagesPerSecond(() => download(port, many.key, ofMany.path)) },
    ]
    for (const { measure } of [...variants, ...variants]) await measure()
    await rounds.run(variants, bench.plan.rounds * ROUNDS_FACTOR, () => undefined)
    bench.note(`${name}: ${format(rounds.ratio(`${name}, many`, `${name}, few`))}`)
  }
  await child.stop()
  return stream
}

/** Returns the path with its cursor filled in, and the length of the page. */
async function openPage(port: number, company: Company, path: string): Promise<{ path: string; bytes: number }> {
  const read = async (from: string) => {
    const headers = { authorization: `Bearer ${company.key}` }
    const text = await (await fetch(`http://127.0.0.1:${port}${from}`, { headers })).text()
    const page = JSON.parse(text) as { data: unknown[]; nextCursor: string }
    if (page.data.length !== 50) throw new Error(`${from}: ${text.slice(0, 200)}`)
    return { text, cursor: page.nextCursor }
  }
  const whole = path.endsWith('cursor=') ? path + (await read(path.replace('&cursor=', ''))).cursor : path
  return { path: whole, bytes: (await read(whole)).text.length }
}

/** Counts the bytes without keeping them, and samples the server's memory meanwhile. */
async function measureStream(
  port: number,
  { key }: Company,
  pid: number,
): Promise<{ streamMb: number; grownMb: number }> {
  const headers = { authorization: `Bearer ${key}` }
  const before = residentMb(pid)
  let [bytes, peak] = [0, before]
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/cards`, { headers })
  if (response.body === null) throw new Error('The answer has no body.')
  let chunks = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    chunks += 1
    if (chunks % 20 === 0) peak = Math.max(peak, residentMb(pid))
  }
  if (bytes < STREAMED * 200) throw new Error(`The stream ended after ${bytes} bytes.`)
  return { streamMb: bytes / 1e6, grownMb: Math.max(peak, residentMb(pid)) - before }
}
