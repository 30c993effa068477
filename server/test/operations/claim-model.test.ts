// Which operations a claim takes: each claim of many is compared with the rule, written down here a second time and more simply.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../src/lib/invariant.ts'
import { ZERO_ID } from '../../src/lib/ids.ts'
import type { Environment } from '../../src/lib/scope.ts'
import { Book, type BookCompany, service } from '../ledger/book.ts'
import { onCitus } from '../support/on-citus.ts'

/** Minutes after midnight. */
const at = (minute: number) => new Date(Date.parse('2026-03-11T00:00:00Z') + minute * 60_000)
const NOW = at(100)
const LEASE = at(101)
/** How many operations of each company are due. The last of each is due at this very moment, and another one later. */
const DUE_COUNTS = [1, 6, 3, 0, 12, 4]

interface Queued {
  readonly id: string
  readonly dueAt: Date
}

const book = await Book.open()
const client = new pg.Client(book.connection)
/** The queue of each company, in the order of their ids. What has not been due is left out. */
const queues = new Map<string, Queued[]>()
let ids: string[]
beforeAll(async () => {
  await client.connect()
  const companies: BookCompany[] = []
  for (const _ of DUE_COUNTS) companies.push(await book.addNeighbour(1_000_000n))
  companies.sort((a, b) => (a.scope.companyId < b.scope.companyId ? -1 : 1))
  for (const [index, company] of companies.entries()) {
    const count = must(DUE_COUNTS[index])
    const live = { ...company, scope: { ...company.scope, environment: 'live' as const } }
    await book.fund(live, 10_000n)
    await move(await book.accept(service(live)), at(1))
    await move(await book.accept(service(company)), at(2), 'manual_review')
    await move(await book.accept(service(company)), new Date(NOW.getTime() + 1))
    const queue: Queued[] = []
    for (let number = count - 1; number >= 0; number -= 1) {
      // The companies' times are mixed, so that the time alone does not decide.
      const dueAt = number === count - 1 ? NOW : at(10 + 6 * number + index)
      const id = await book.accept(service(company))
      await move(id, dueAt)
      queue.unshift({ id, dueAt })
    }
    queues.set(company.scope.companyId, queue)
  }
  ids = [...queues.keys()]
})
afterAll(async () => {
  await client.end()
  await book.close()
})

const move = (id: string, dueAt: Date, status = 'queued') =>
  book.run('update issuer_request set due_at = $2, status = $3 where id = $1', [id, dueAt, status])

interface Claim {
  readonly limit: number
  readonly share: number
  readonly after: string
  /** From where on the queues of some companies are read. */
  readonly known: ReadonlyMap<string, Date>
}

/** Runs statements whose effects are taken back. */
async function tryOut<Row>(text: string, values: unknown[]): Promise<Row[]> {
  await client.query('begin')
  try {
    return (await client.query(text, values)).rows as Row[]
  } finally {
    await client.query('rollback')
  }
}

async function claim({ limit, share, after, known }: Claim): Promise<string[]> {
  const companies = [...known.keys()]
  const rows = await tryOut<{ id: string }>(
    `select id from claim_operations('sandbox', $1, $2, $3, $4, $5, $6::uuid[], $7::timestamptz[])`,
    [NOW, LEASE, limit, share, after, companies, [...known.values()]],
  )
  return rows.map(({ id }) => id).toSorted()
}

/** Everybody gets the share, in turn. Then what is left is divided evenly among those that have more, again and again. */
function predict({ limit, share, after, known }: Claim): string[] {
  const inTurn = [...ids.filter((id) => id > after), ...ids.filter((id) => id <= after)]
  const claimed: string[] = []
  const take = (company: string, from: number, count: number) => {
    const position = known.get(company) ?? new Date(0)
    const queue = must(queues.get(company)).filter(({ dueAt }) => dueAt >= position)
    const taken = queue.slice(from, from + Math.min(count, limit - claimed.length))
    claimed.push(...taken.map(({ id }) => id))
    return { taken: taken.length, left: queue.length - from - taken.length }
  }
  let more = inTurn.flatMap((company) => {
    const { taken, left } = take(company, 0, share)
    // The end of a queue that is read from a position on is not seen.
    return left > 0 || (known.has(company) && taken === share) ? [{ company, from: taken }] : []
  })
  while (claimed.length < limit && more.length > 0) {
    const part = Math.ceil((limit - claimed.length) / more.length)
    more = more.flatMap(({ company, from }) => {
      const { taken } = take(company, from, part)
      return taken === part ? [{ company, from: from + taken }] : []
    })
  }
  return claimed.toSorted()
}

const positions = () => {
  const [a = '', b = '', c = '', d = '', e = '', f = ''] = ids
  if (onCitus('positions')) return [[]]
  return [
    [],
    [[b, at(23)]],
    [[a, NOW], [e, at(40)]],
    [[c, at(0)], [d, at(50)], [f, at(21)]],
    [[a, at(0)], [b, at(17)], [c, NOW], [d, at(0)], [e, at(0)], [f, new Date(NOW.getTime() + 1)]],
  ] as [string, Date][][] // prettier-ignore
}

describe('a claim', () => {
  it.each([1, 7, 13, 25, 40])('of at most %d takes what the rule says', async (limit) => {
    for (const share of [1, 2, 5]) {
      for (const after of [ZERO_ID, must(ids[1]), must(ids[3]), must(ids[5])]) {
        for (const known of positions()) {
          const wanted = { limit, share, after, known: new Map(known) }
          expect(await claim(wanted), JSON.stringify({ limit, share, after: ids.indexOf(after), known })).toEqual(
            predict(wanted),
          )
        }
      }
    }
  })
  it('takes at most 200, however much it asks for', async () => {
    const companies = [await book.addNeighbour(1_000_000n), await book.addNeighbour(1_000_000n)]
    await book.acceptBatch(companies.flatMap((company) => Array.from({ length: 110 }, () => service(company))))
    const rows = await claim({ limit: 1_000, share: 25, after: ZERO_ID, known: new Map() })
    expect(rows).toHaveLength(200)
  })
})

describe('a claim of look-ups', () => {
  const cases = (['sandbox', 'live'] as const).flatMap((environment) => [
    [environment, 1, ['a']] as const,
    [environment, 2, ['a', 'b']] as const,
    [environment, 200, ['a', 'b', 'c']] as const,
  ])
  it.each(cases)(
    'in %s, of at most %d, takes the longest due, up to this very moment',
    async (own, limit, expected) => {
      const { scope } = await book.addCompany()
      const names = new Map<string, string>()
      const place = async (name: string, dueAt: Date, status = 'processing', environment: Environment = own) => {
        const company = { scope: { ...scope, environment }, holderId: '' }
        await book.fund(company, 10_000n)
        const id = await book.accept(service(company))
        names.set(id, name)
        await move(id, dueAt, status)
      }
      await place('c', NOW)
      await place('a', at(1))
      await place('not due', new Date(NOW.getTime() + 1))
      await place('queued', at(0), 'queued')
      await place('in review', at(0), 'manual_review')
      for (const environment of ['sandbox', 'live'] as const)
        if (environment !== own) await place('of the other environment', at(0), 'processing', environment)
      await place('b', at(2))
      const rows = await tryOut<{ id: string }>(`select id from claim_look_ups($1, $2, $3, $4, '{service}')`, [
        own,
        NOW,
        LEASE,
        limit,
      ])
      expect(rows.map(({ id }) => names.get(id) ?? id).toSorted()).toEqual(expected)
      await book.run(`update issuer_request set due_at = '2030-01-01' where id = any ($1)`, [[...names.keys()]])
    },
  )
})

describe('the longest due queues', () => {
  it('are those of one environment, the longest due first, up to this very moment', async () => {
    const rows = (limit: number, now = NOW) =>
      tryOut<{ company_id: string; due_at: Date }>(`select * from list_due_queues('sandbox', $1, $2)`, [now, limit])
    await book.run(`update issuer_request set due_at = '2030-01-01' where company_id <> all ($1)`, [ids])
    const expected = [...queues]
      .flatMap(([companyId, [first]]) => (first === undefined ? [] : [{ company_id: companyId, due_at: first.dueAt }]))
      .toSorted((a, b) => a.due_at.getTime() - b.due_at.getTime())
    expect(expected).toHaveLength(5)
    expect(await rows(100)).toEqual(expected)
    expect(await rows(2)).toEqual(expected.slice(0, 2))
    expect(await rows(100, new Date(NOW.getTime() - 1))).toEqual(expected.slice(0, 4))
    const live = await tryOut<{ company_id: string; due_at: Date }>(`select * from list_due_queues('live', $1, 100)`, [
      NOW,
    ])
    expect(new Set(live.map((row) => row.company_id))).toEqual(new Set(ids))
    expect(live.map((row) => row.due_at)).toEqual(ids.map(() => at(1)))
  })
})
