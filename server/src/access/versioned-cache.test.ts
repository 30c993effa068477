// The cache never serves a value that a change has made wrong, whenever the change happens.
import { expect, test } from 'vitest'
import { CACHE_TRUST_MS, createVersionedCache } from './versioned-cache.ts'

/** A store with a version number, and a clock that stands still. */
function setUp() {
  const world = { version: 1n, value: 'old', nowMs: 0, canRead: true, loads: 0 }
  const cache = createVersionedCache(
    async () => {
      if (!world.canRead) throw new Error('no answer')
      return world.version
    },
    () => world.nowMs,
  )
  const get = () =>
    cache.get('key', async () => {
      world.loads += 1
      return world.value
    })
  return { world, cache, get }
}

test('a value is loaded once and then served from memory', async () => {
  const { world, cache, get } = setUp()
  await cache.refresh()
  expect([await get(), await get(), cache.find('key')]).toEqual(['old', 'old', 'old'])
  expect(world.loads).toBe(1)
})

test('a change of the version clears the cache', async () => {
  const { world, cache, get } = setUp()
  await cache.refresh()
  await get()
  Object.assign(world, { version: 2n, value: 'new' })
  await cache.refresh()
  expect(cache.find('key')).toBeUndefined()
  expect(await get()).toBe('new')
})

test('while the version cannot be read, the cache is trusted only for a moment', async () => {
  const { world, cache, get } = setUp()
  await cache.refresh()
  await get()
  Object.assign(world, { version: 2n, value: 'new', canRead: false })
  world.nowMs = CACHE_TRUST_MS
  await expect(cache.refresh()).rejects.toThrow('no answer')
  expect([await get(), cache.find('key')]).toEqual(['old', 'old'])
  world.nowMs = CACHE_TRUST_MS + 1
  await expect(cache.refresh()).rejects.toThrow('no answer')
  expect(cache.find('key')).toBeUndefined()
  expect(await get()).toBe('new')
  // What was loaded meanwhile is not kept either: nobody knows whether it changed since.
  world.value = 'newer'
  expect(await get()).toBe('newer')
})

test('the time of trust begins when the version is requested, not when it arrives', async () => {
  const world = { nowMs: 0 }
  const cache = createVersionedCache(
    async () => {
      world.nowMs += CACHE_TRUST_MS
      return 1n
    },
    () => world.nowMs,
  )
  await cache.refresh()
  await cache.get('key', async () => 'value')
  world.nowMs += 1
  expect(cache.find('key')).toBeUndefined()
})

test.each(['clear', 'refresh'] as const)(
  'a look-up that began before a change is not kept after it (%s)',
  async (change) => {
    const { world, cache } = setUp()
    await cache.refresh()
    let finish: (value: string) => void = () => {}
    const slow = cache.get('key', () => new Promise<string>((resolve) => (finish = resolve)))
    world.version = 2n
    await cache[change]()
    finish('old')
    expect(await slow).toBe('old')
    expect(cache.find('key')).toBeUndefined()
    expect(await cache.get('key', async () => 'new')).toBe('new')
  },
)

test('a look-up that begins after a change does not join one that began before it', async () => {
  const { cache } = setUp()
  await cache.refresh()
  let finish: (value: string) => void = () => {}
  const before = cache.get('key', () => new Promise<string>((resolve) => (finish = resolve)))
  cache.clear()
  const after = cache.get('key', async () => 'new')
  finish('old')
  expect([await before, await after]).toEqual(['old', 'new'])
})

test('concurrent look-ups of one key share a query, and a failed look-up is not cached', async () => {
  const { cache } = setUp()
  await cache.refresh()
  let loads = 0
  const fail = async () => {
    loads += 1
    throw new Error('no answer')
  }
  const answers = await Promise.allSettled([cache.get('key', fail), cache.get('key', fail)])
  expect([answers.map(({ status }) => status), loads]).toEqual([['rejected', 'rejected'], 1])
  expect(await cache.get('key', async () => 'value')).toBe('value')
})

test('a version that is the same keeps the values', async () => {
  const { world, cache, get } = setUp()
  await cache.refresh()
  await get()
  await cache.refresh()
  expect([cache.find('key'), await get(), world.loads]).toEqual(['old', 'old', 1])
})

test('what is not found is not kept: the next look-up asks again', async () => {
  const { cache } = setUp()
  await cache.refresh()
  expect(await cache.get('key', async () => undefined)).toBeUndefined()
  expect(await cache.get('key', async () => 'made since')).toBe('made since')
})

test.each(['found', 'failed'])(
  'look-ups after a change share a query, also when one from before it has %s meanwhile',
  async (how) => {
    const { cache } = setUp()
    await cache.refresh()
    let endEarly = () => {}
    let endLate = () => {}
    const early = new Promise<string>((resolve, reject) => {
      endEarly = () => (how === 'found' ? resolve('old') : reject(new Error('no answer')))
    })
    const late = new Promise<string>((resolve) => {
      endLate = () => resolve('new')
    })
    const before = cache.get('key', () => early)
    cache.clear()
    const first = cache.get('key', () => late)
    endEarly()
    await Promise.allSettled([before])
    const second = cache.get('key', async () => 'of another query')
    endLate()
    expect([await first, await second, cache.find('key')]).toEqual(['new', 'new', 'new'])
  },
)

test('a full cache drops the oldest value, and not earlier', async () => {
  const { cache } = setUp()
  await cache.refresh()
  const MAX = 100_000
  for (let index = 0; index < MAX; index += 1) await cache.get(String(index), async () => index)
  expect([cache.find('0'), cache.find(String(MAX - 1))]).toEqual([0, MAX - 1])
  await cache.get('one more', async () => 'value')
  expect([cache.find('0'), cache.find('1'), cache.find('one more')]).toEqual([undefined, 1, 'value'])
})
