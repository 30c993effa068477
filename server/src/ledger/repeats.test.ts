// Which requests go into a batch, and which are looked up first.
import { describe, expect, it } from 'vitest'
import type { Candidate } from './items.ts'
import { createRepeatGuard } from './repeats.ts'
import type { Verdict } from './verdict.ts'

const LOOK_UP_FIRST_MS = 10_000
const COMPANIES_MAX = 10_000
const ACCEPTED = { kind: 'accepted' } as unknown as Verdict
const REPEATED = { kind: 'repeated' } as unknown as Verdict

function createWorld() {
  const state = { nowMs: 0, lookedUp: 0, decided: [] as string[], known: new Set<string>() }
  const waiting: (() => void)[] = []
  const guard = createRepeatGuard({
    clock: { now: () => new Date(state.nowMs) },
    lookUp: async ({ idempotencyKey }) => {
      state.lookedUp += 1
      return state.known.has(idempotencyKey) ? REPEATED : undefined
    },
    decide: async ({ idempotencyKey }) => {
      state.decided.push(idempotencyKey)
      await new Promise<void>((resolve) => waiting.push(resolve))
      return ACCEPTED
    },
  })
  const commit = () => {
    for (const key of state.decided) state.known.add(key)
    for (const resolve of waiting.splice(0)) resolve()
  }
  return { guard, state, commit }
}
const requestOf = (companyId: string, idempotencyKey: string, environment = 'sandbox') =>
  ({ scope: { companyId, environment }, idempotencyKey }) as unknown as Candidate
const turn = () =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

describe('a request', () => {
  it('of a company that does not repeat its keys is decided without a look-up', async () => {
    const { guard, state, commit } = createWorld()
    guard.note('other')
    const verdict = guard.accept(requestOf('a', 'new'))
    commit()
    expect(await verdict).toBe(ACCEPTED)
    expect(state.lookedUp).toBe(0)
  })

  it('of one that does is looked up first, and decided only if its key is new', async () => {
    const { guard, state, commit } = createWorld()
    guard.note('a')
    state.known.add('old')
    expect(await guard.accept(requestOf('a', 'old'))).toBe(REPEATED)
    expect(state.decided).toEqual([])
    const verdict = guard.accept(requestOf('a', 'new'))
    await turn()
    commit()
    expect(await verdict).toBe(ACCEPTED)
    expect(state).toMatchObject({ lookedUp: 2, decided: ['new'] })
  })

  it('waits for another one with the same new key, so that the two do not meet in a batch', async () => {
    const { guard, state, commit } = createWorld()
    guard.note('a')
    const verdicts = [guard.accept(requestOf('a', 'new'))]
    await turn()
    verdicts.push(guard.accept(requestOf('a', 'new')), guard.accept(requestOf('a', 'new', 'live')))
    await turn()
    // The key of the other environment is another key.
    expect(state.decided).toEqual(['new', 'new'])
    commit()
    expect(await Promise.all(verdicts)).toEqual([ACCEPTED, REPEATED, ACCEPTED])
    expect(state.decided).toEqual(['new', 'new'])
  })

  it('goes into a batch after it has waited ten times', async () => {
    const { guard, state, commit } = createWorld()
    guard.note('a')
    const verdicts = Array.from({ length: 12 }, () => guard.accept(requestOf('a', 'refused')))
    for (let round = 0; round < 12; round += 1) {
      await turn()
      // The one that was decided was refused, so that its key is still new.
      commit()
      state.known.clear()
    }
    expect(await Promise.all(verdicts)).toEqual(verdicts.map(() => ACCEPTED))
    expect(state.decided).toHaveLength(12)
  })
})

describe('a company is looked up first', () => {
  const isLookedUp = async ({ guard, state, commit }: ReturnType<typeof createWorld>, companyId: string) => {
    const before = state.lookedUp
    const verdict = guard.accept(requestOf(companyId, `key ${state.decided.length}`))
    await turn()
    commit()
    await verdict
    return state.lookedUp > before
  }

  it('for ten seconds after it repeated a key', async () => {
    const world = createWorld()
    world.guard.note('a')
    world.state.nowMs = LOOK_UP_FIRST_MS - 1
    expect(await isLookedUp(world, 'a')).toBe(true)
    world.state.nowMs = LOOK_UP_FIRST_MS
    expect(await isLookedUp(world, 'a')).toBe(false)
    world.state.nowMs = 0
    // It was forgotten.
    expect(await isLookedUp(world, 'a')).toBe(false)
  })

  it('for ten seconds more if it repeats a key meanwhile', async () => {
    const world = createWorld()
    world.guard.note('a')
    world.state.nowMs = LOOK_UP_FIRST_MS - 1
    world.state.known.add('old')
    await world.guard.accept(requestOf('a', 'old'))
    world.state.nowMs = LOOK_UP_FIRST_MS + 1
    expect(await isLookedUp(world, 'a')).toBe(true)
  })

  it('until ten thousand others have repeated one after it', async () => {
    const world = createWorld()
    world.guard.note('a')
    world.guard.note('b')
    for (let count = 3; count <= COMPANIES_MAX; count += 1) world.guard.note(`company ${count}`)
    expect(await isLookedUp(world, 'a')).toBe(true)
    // Whoever repeats again is the newest.
    world.guard.note('a')
    world.guard.note('one more')
    expect(await isLookedUp(world, 'a')).toBe(true)
    expect(await isLookedUp(world, 'b')).toBe(false)
  })
})

it('is idle when every request that was looked up has been answered', async () => {
  const { guard, commit } = createWorld()
  guard.note('a')
  const verdict = guard.accept(requestOf('a', 'new'))
  let isIdle = false
  const idle = guard.idle().then(() => {
    isIdle = true
  })
  await turn()
  expect(isIdle).toBe(false)
  commit()
  await verdict
  await idle
})
