// Invariants as properties: whatever is requested, in whatever order and concurrency, and wherever nodes die, they hold after
// every step and at the end. The last tests break the rules on purpose: the checks must detect it.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { IssuerRequest } from '../../src/issuer/port.ts'
import { cents } from '../../src/lib/money.ts'
import { Book, issue, service, topup } from '../ledger/book.ts'
import { VirtualTime } from '../proof/world/time.ts'
import type { IssuerScript } from '../support/gates.ts'
import { amountOf, type Plan, PLANS } from './wire.ts'
import { type Death, DEATHS, World } from './world.ts'

/** About 9 s on two cores. */
const RUNS = 60
/** A busy machine takes five times as long; slowness is not failure. */
const SLOW_MACHINE_MS = 300_000
/** Enough for a rule that is broken in every world to be seen in one. */
const RUNS_TO_BE_FOUND = 40
const STEPS_MAX = 10
const AT_ONCE_MAX = 5

type Command =
  | {
      do: 'accept'
      company: number
      kind: number
      plan: Plan
      fee: number
      key: number
      path: 'intake' | 'other intake' | 'lost'
    }
  | { do: 'fund'; company: number; amount: number; key: number }
  | { do: 'work'; death: Death | undefined }
  | { do: 'resolve'; pick: number; outcome: 'completed' | 'failed' }
  | { do: 'wait'; ms: number }
  | { do: 'seal'; limit: number }

const company = fc.nat({ max: 2 })
/** Few keys, so that some are repeated. */
const key = fc.nat({ max: 7 })
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('accept' as const),
      company,
      kind: fc.nat({ max: 3 }),
      plan: fc.constantFrom(...PLANS),
      fee: fc.nat({ max: 3 }),
      key,
      path: fc.constantFrom('intake' as const, 'other intake' as const, 'lost' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('work' as const),
      death: fc.option(fc.constantFrom(...DEATHS), { nil: undefined, freq: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('fund' as const), company, amount: fc.integer({ min: 1, max: 9999 }), key }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('resolve' as const),
      pick: fc.nat({ max: 9 }),
      outcome: fc.constantFrom('completed' as const, 'failed' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000, 61_000, 91_000, 301_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('seal' as const), limit: fc.integer({ min: 1, max: 20 }) }) },
)
/** The commands of one step run concurrently. */
const steps = fc.array(fc.array(command, { minLength: 1, maxLength: AT_ONCE_MAX }), {
  minLength: 1,
  maxLength: STEPS_MAX,
})

async function carryOut(world: World, wanted: Command): Promise<void> {
  switch (wanted.do) {
    case 'accept': {
      const owner = world.company(wanted.company)
      const more = {
        amount: cents(amountOf(wanted.plan)),
        fee: cents(BigInt(wanted.fee)),
        idempotencyKey: `key ${wanted.key}`,
        // A repeated key does not always come with the same request.
        digest: wanted.fee === 3 ? 'bb' : 'aa',
      }
      const cards = await world.book.many<{ id: string }>('select id from card where company_id = $1 limit 1', [
        owner.scope.companyId,
      ])
      const [card] = cards
      const candidate =
        wanted.kind > 1 && card !== undefined
          ? topup(owner, card.id, more)
          : wanted.kind === 1
            ? service(owner, more)
            : issue(owner, more)
      return world.accept(owner, candidate, wanted.path)
    }
    case 'fund':
      return world.fund(world.company(wanted.company), BigInt(wanted.amount), `fund ${wanted.key} ${wanted.amount}`)
    case 'work':
      return world.work(wanted.death)
    case 'resolve':
      return world.resolve(wanted.pick, wanted.outcome)
    case 'wait':
      return world.book.clock.advance(wanted.ms)
    case 'seal':
      return world.seal(wanted.limit)
  }
}

async function live(world: World, wanted: readonly (readonly Command[])[]): Promise<void> {
  for (const step of wanted) {
    await Promise.all(step.map((each) => carryOut(world, each)))
    await requireSound(world, step)
  }
  await world.finish()
  await world.seal(1000)
  await requireSound(world, 'the end')
}

async function requireSound(world: World, when: unknown): Promise<void> {
  const problems = await world.findProblems()
  if (problems.length > 0) throw new Error(`after ${JSON.stringify(when)}: ${problems.join('; ')}`)
}

function property(book: () => TimedBook, misbehave?: (issuer: IssuerScript) => IssuerScript) {
  return fc.asyncProperty(
    steps,
    fc.tuple(fc.nat(3000), fc.nat(20_000), fc.constant(100_000)),
    async (wanted, funds) => {
      await World.sweep(book())
      await live(
        await World.make(
          book(),
          funds.map((amount) => BigInt(amount + 1)),
          misbehave,
        ),
        wanted,
      )
    },
  )
}

type TimedBook = Book & { readonly clock: VirtualTime }
const openBook = () => Book.open(new VirtualTime())
let book: TimedBook
let brokenBook: TimedBook
beforeAll(async () => {
  book = await openBook()
  brokenBook = await openBook()
})
afterAll(async () => {
  await book.close()
  await brokenBook.close()
})

it(
  'the invariants hold whatever is requested, in whatever order, and wherever nodes die',
  { timeout: SLOW_MACHINE_MS },
  async () => {
    await fc.assert(
      property(() => book),
      { numRuns: RUNS, seed: 20260310, endOnFailure: true },
    )
  },
)

async function expectFound(broken: fc.IAsyncProperty<unknown>, problem: RegExp): Promise<void> {
  const found = await fc.check(broken, { numRuns: RUNS_TO_BE_FOUND, seed: 7, endOnFailure: true })
  expect(found.failed).toBe(true)
  expect(String(found.errorInstance)).toMatch(problem)
}

it('the checks detect an issuer client that sends twice', async () => {
  const twice = (issuer: IssuerScript): IssuerScript => ({
    ...issuer,
    lookUpDelaysMs: issuer.lookUpDelaysMs,
    lookUp: (request) => issuer.lookUp(request),
    issueCard: (request) => issuer.issueCard(request).then(() => issuer.issueCard(request)),
  })
  await expectFound(
    property(() => brokenBook, twice),
    /sent again|2 requests left/,
  )
})

it('the checks detect a look-up that treats "not found" as a refusal', async () => {
  const hasty = (issuer: IssuerScript): IssuerScript => ({
    ...issuer,
    lookUpDelaysMs: issuer.lookUpDelaysMs,
    lookUp: async (request) => {
      const outcome = await issuer.lookUp(request)
      return outcome.kind === 'unknown' ? { kind: 'declined', code: 'not_found', message: 'not found' } : outcome
    },
  })
  await expectFound(
    property(() => brokenBook, hasty),
    /failed without evidence/,
  )
})

it('the checks detect an answer that is used before the issuer gave it', async () => {
  const optimist = (issuer: IssuerScript): IssuerScript => ({
    ...issuer,
    lookUpDelaysMs: issuer.lookUpDelaysMs,
    lookUp: (request) => issuer.lookUp(request),
    orderService: async (request: IssuerRequest & { recipient: string }) => {
      await issuer.orderService(request).catch(() => undefined)
      return { kind: 'confirmed', receipt: 'surely' }
    },
  })
  await expectFound(
    property(() => brokenBook, optimist),
    /completed without evidence/,
  )
})

it('the checks detect a worker that repeats the requests of a dead worker', async () => {
  const own = await openBook()
  await own.run(`
    create or replace function claim_look_ups(p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer, p_kinds text[])
    returns table (company_id uuid, id uuid, kind text)
    language plpgsql as $$ begin end $$`)
  await own.run(`
    create or replace function claim_operations(p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer, p_share integer, p_after_company uuid, p_companies uuid[], p_positions timestamptz[])
    returns setof operation language sql as $$
      with claimed as (
        update issuer_request set status = 'processing', due_at = p_lease_until
        where status in ('queued', 'processing') and due_at <= p_now returning id
      )
      update operation o set status = 'processing' from claimed c where c.id = o.id returning o.*
    $$`)
  await expectFound(
    property(() => own),
    /sent again|2 requests left/,
  )
  await own.close()
})

it('the checks detect a ledger without one of its entries', async () => {
  const own = await openBook()
  await own.run(`
    create function skip_release() returns trigger language plpgsql as $$
    begin
      return case when new.kind = 'release' then null else new end;
    end $$`)
  await own.run('create trigger skip before insert on entry for each row execute function skip_release()')
  await expectFound(
    property(() => own),
    /not the sum of the entries|sequence is/,
  )
  await own.close()
})
