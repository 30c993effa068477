// A value that callers share under load is never more than a second old, and is computed a limited number of times a second.
import { expect, test } from 'vitest'
import { createSharedValue } from './shared-value.ts'

const FRESH_PER_SECOND = 10

/** A value that is computed when the test says so, and a clock that stands still. */
function setUp() {
  const world = { nowMs: 0, computed: 0, isHeld: false, release: () => {} }
  const read = createSharedValue(
    async () => {
      world.computed += 1
      const value = world.computed
      if (world.isHeld) await new Promise<void>((resolve) => (world.release = resolve))
      return value
    },
    () => world.nowMs,
  )
  const readOften = async (count: number) => {
    for (let reads = 0; reads < count; reads += 1) await read()
  }
  return { world, read, readOften }
}

test('a few callers each get a fresh value; the others of the same second share the last one', async () => {
  const { world, read, readOften } = setUp()
  await readOften(FRESH_PER_SECOND)
  expect(world.computed).toBe(FRESH_PER_SECOND)
  world.nowMs = 999
  expect([await read(), await read()]).toEqual([FRESH_PER_SECOND, FRESH_PER_SECOND])
  world.nowMs = 1_000
  expect(await read()).toBe(FRESH_PER_SECOND + 1)
})

test('a value that is more than a second old is not shared: callers wait for the one that is being computed', async () => {
  const { world, read, readOften } = setUp()
  await readOften(FRESH_PER_SECOND)
  Object.assign(world, { nowMs: 1_001, isHeld: true })
  const fresh = Array.from({ length: FRESH_PER_SECOND }, read)
  const late = read()
  world.release()
  expect(await late).toBe(2 * FRESH_PER_SECOND)
  expect(await fresh.at(-1)).toBe(2 * FRESH_PER_SECOND)
})

test('a failure is not shared', async () => {
  let isBroken = true
  const read = createSharedValue(async () => {
    if (isBroken) throw new Error('no answer')
    return 'value'
  })
  await expect(read()).rejects.toThrow('no answer')
  isBroken = false
  expect(await read()).toBe('value')
})
