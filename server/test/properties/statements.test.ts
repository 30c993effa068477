// Over random histories and random ranges, the formats agree, the figures add up, statements chain, and a change of any
// field is detected.
import { verifyStatement } from '@cardstock/sdk/statements'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/db/sql.ts'
import { formatCents } from '../../src/lib/money.ts'
import {
  createHolder,
  eventually,
  expectBooksRight,
  fund,
  operate,
  settled,
  type WireOperation,
} from '../books/steps.ts'
import {
  alterations,
  figuresOf,
  figuresOfCsv,
  figuresOfPdf,
  readAllFormats,
  readStatement,
} from '../books/statements.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'

const DAY_MS = 86_400_000

let server: TestServer
beforeAll(async () => {
  server = await TestServer.start()
})
afterAll(() => server.stop())

const outcome = fc.constantFrom('done', 'fail', 'unknown')
const step = fc.oneof(
  fc.record({ do: fc.constant('deposit' as const), cents: fc.integer({ min: 1, max: 5_000_000 }) }),
  fc.record({
    do: fc.constant('service' as const),
    cents: fc.integer({ min: 300, max: 20_000 }),
    outcome,
    wait: fc.boolean(),
  }),
  fc.record({ do: fc.constant('issue' as const), cents: fc.integer({ min: 1000, max: 9000 }), outcome }),
  fc.record({ do: fc.constant('topup' as const), cents: fc.integer({ min: 1000, max: 9000 }) }),
  fc.record({ do: fc.constant('close' as const) }),
  fc.record({ do: fc.constant('resolve' as const), outcome: fc.constantFrom('completed', 'failed') }),
  fc.record({
    do: fc.constant('pass' as const),
    ms: fc.oneof(fc.integer({ min: 1, max: 3_600_000 }), fc.integer({ min: 1, max: 4 * DAY_MS })),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Plays a history; afterwards nothing is under way, but reviews may be open. */
async function play(company: TestCompany, steps: readonly Step[]): Promise<void> {
  await fund(server, company, '500')
  const holderId = await createHolder(server, company)
  const cards: string[] = []
  const reviews: string[] = []
  const open: WireOperation[] = []
  const finish = async (operation: WireOperation) => {
    const { status, id, result } = await settled(server, company, operation)
    if (status === 'manual_review') reviews.push(id)
    if (result.cardId !== undefined) cards.push(result.cardId)
  }
  const order = async (body: object) =>
    (await server.post<WireOperation>('/api/v1/operations', company.key, body)) as {
      status: number
      body: WireOperation
    }
  for (const action of steps) {
    const cents = 'cents' in action ? formatCents(BigInt(action.cents)) : ''
    switch (action.do) {
      case 'deposit':
        await fund(server, company, cents)
        break
      case 'service': {
        const { status, body } = await order({
          type: 'service',
          productId: 'prod_service_esim',
          amount: cents,
          recipient: action.outcome,
        })
        if (status === 201) await (action.wait ? finish(body) : Promise.resolve(open.push(body)))
        break
      }
      case 'issue': {
        const { status, body } = await order({
          type: 'issue',
          productId: 'prod_card_virtual',
          amount: cents,
          holderId,
          name: action.outcome,
        })
        if (status === 201) await finish(body)
        break
      }
      case 'topup':
        if (cards[0] !== undefined) {
          const { status, body } = await order({ type: 'topup', cardId: cards[0], amount: cents })
          if (status === 201) await finish(body)
        }
        break
      case 'close': {
        const card = cards.shift()
        if (card !== undefined) await server.post(`/api/v1/cards/${card}/close`, company.key)
        break
      }
      case 'resolve': {
        const review = reviews.shift()
        if (review !== undefined)
          await server.post(`/api/v1/sandbox/reviews/${review}/resolve`, company.key, { outcome: action.outcome })
        break
      }
      case 'pass':
        server.clock.advance(action.ms)
        break
    }
  }
  for (const operation of open) await finish(operation)
}

const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)

test('statements of random histories agree, add up, chain, and reveal every alteration', async () => {
  const offset = fc.integer({ min: -2, max: 30 })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 18 }), offset, offset, async (steps, a, b) => {
      const company = await server.createCompany()
      const start = server.clock.now().getTime()
      await play(company, steps)
      const [from, to] = [Math.min(a, b), Math.max(a, b)].map((days) => dayAt(start + days * DAY_MS)) as [
        string,
        string,
      ]
      const statement = await readStatement(server, company, from, to)

      const { csv, pdf } = await readAllFormats(server, company, from, to)
      expect(figuresOfCsv(csv)).toEqual(figuresOf(statement))
      expect(figuresOfPdf(pdf)).toEqual(figuresOf(statement))

      const figures = ['openingBalance', 'incoming', 'outgoing', 'closingBalance'] as const
      const [opening, incoming, outgoing, closing] = figures.map((name) =>
        BigInt(statement[name].replace('.', '')),
      ) as [bigint, bigint, bigint, bigint]
      expect(closing).toBe(opening + incoming - outgoing)
      const [derived] = await server.db.many<{ opening: bigint; entries: bigint }>(sql`
        select coalesce(sum(available_delta + held_delta) filter (where created_at < ${new Date(`${from}T00:00:00Z`)}), 0)::bigint as opening,
               count(*) filter (where (created_at at time zone 'UTC')::date between ${from}::date and ${to}::date) as entries
        from entry where company_id = ${company.id}`)
      expect(derived).toEqual({ opening, entries: BigInt(statement.data.length) })

      const next = await readStatement(
        server,
        company,
        dayAt(Date.parse(to) + DAY_MS),
        dayAt(Date.parse(to) + 40 * DAY_MS),
      )
      expect([next.openingBalance, next.proof.firstNumber, next.proof.hashBefore, next.proof.openingHeld]).toEqual([
        statement.closingBalance,
        statement.proof.lastNumber + 1,
        statement.proof.hashAfter,
        heldAfter(statement),
      ])

      expect(verifyStatement(statement)).toEqual({ entries: statement.data.length, problems: [] })
      expect(verifyStatement(next).problems).toEqual([])
      const missed = alterations(statement).filter(({ altered }) => verifyStatement(altered).problems.length === 0)
      expect(missed.map(({ what }) => what)).toEqual([])
    }),
    { numRuns: 12, endOnFailure: true },
  )
  await expectBooksRight(server)
})

function heldAfter({ data, proof }: { data: { heldDelta: string }[]; proof: { openingHeld: string } }): string {
  const cents = (text: string) => BigInt(text.replace('.', ''))
  return formatCents(data.reduce((held, entry) => held + cents(entry.heldDelta), cents(proof.openingHeld)))
}

test('a statement is one snapshot, even while money moves', async () => {
  const company = await server.createCompany()
  await fund(server, company, '1000000')
  const day = dayAt(server.clock.now().getTime())
  const state = { moving: true }
  const mover = (async () => {
    while (state.moving) {
      const body = { type: 'service', productId: 'prod_service_esim', amount: '3', recipient: 'done' }
      await Promise.all(Array.from({ length: 10 }, () => operate(server, company, body)))
    }
  })()
  const sizes: number[] = []
  await eventually(
    async () => {
      const statement = await readStatement(server, company, day, day)
      expect(verifyStatement(statement).problems).toEqual([])
      sizes.push(statement.data.length)
      return new Set(sizes).size
    },
    (different) => different >= 10,
  )
  state.moving = false
  await mover
  expect(sizes).toEqual(sizes.toSorted((x, y) => x - y))
})
