// The limits of signing in, with each of the three places where their buckets can be: this process, the supervisor of a group,
// and a Redis.
import { afterAll, describe, expect, it } from 'vitest'
import { createTakeAll } from '../../../src/cli/process/group/take-all.ts'
import { readConfig } from '../../../src/config/config.ts'
import { ApiError } from '../../../src/errors.ts'
import type { BucketStore } from '../../../src/http/limits/buckets.ts'
import { createLog } from '../../../src/lib/log.ts'
import { clientOf, createSignInLimits, type Try } from '../../../src/people/sign-in/limits.ts'
import { createRedisBuckets } from '../../../src/redis/bucket-store.ts'
import { redisServer, TestRedis } from '../../support/redis.ts'
import { until } from '../../support/wait.ts'

const ACCOUNT = 'ada@example.com'
const HOME = '192.0.2.1'
/** So few that no token comes back during a test, except of the cap of an account: the buckets fill in 15 minutes. */
const { people } = readConfig({
  FAILED_SIGN_INS_PER_ACCOUNT: '3',
  FAILED_SIGN_INS_PER_ADDRESS: '7',
  SIGN_INS_PER_ACCOUNT: '5',
  SIGN_INS_PER_ADDRESS: '9',
})
const stranger = (number: number) => `198.18.${number >> 8}.${number & 255}`
const never = async () => false

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

function groupStore(): BucketStore {
  const takeAll = createTakeAll()
  return {
    take: async (policy, key) => takeAll([{ policy, key, isReturn: false }])[0],
    giveBack: (policy, key) => void takeAll([{ policy, key, isReturn: true }]),
  }
}

async function redisStore(): Promise<BucketStore> {
  const redis = await TestRedis.start()
  const store = createRedisBuckets(`redis://127.0.0.1:${redis.port}`, {
    log: createLog({ level: 'silent' }),
    deadlineMs: 60_000,
  })
  closing.push(
    () => store.close(),
    () => redis.kill(),
  )
  await until('the store is open', () => store.take({ name: 'test', perSecond: 1, burst: 1 }, 'open'))
  return store
}

const STORES: [string, () => Promise<BucketStore | undefined>, boolean][] = [
  ['this process', async () => undefined, true],
  ['the supervisor', async () => groupStore(), true],
  ['a Redis', redisStore, redisServer !== undefined],
]

describe.each(STORES.filter(([, , isThere]) => isThere))('with buckets in %s', (_name, open) => {
  let store: BucketStore | undefined
  /** Each test has accounts and addresses of its own, because the buckets are shared. */
  const setUp = async () => {
    store ??= await open()
    const limits = createSignInLimits({ ...people }, store)
    const prefix = Math.random().toString(36)
    const count = async (times: number, attempt: () => Promise<Try>) => {
      let admitted = 0
      for (let tries = 0; tries < times; tries += 1) admitted += (await isAdmitted(attempt())) ? 1 : 0
      return admitted
    }
    const account = (name = ACCOUNT) => `${prefix} ${name}`
    const from = (address: string, { name = ACCOUNT, browser }: { name?: string; browser?: string } = {}) =>
      limits.password(account(name), { ...clientOf(address, browser), key: `${prefix} ${browser ?? address}` }, never)
    return { limits, count, from, account }
  }

  it('an address fails a few times per account, and a few times in all', async () => {
    const { count, from } = await setUp()
    expect(await count(5, () => from(HOME))).toBe(3)
    expect(await count(5, () => from(HOME, { name: 'b' }))).toBe(2)
    expect(await count(5, () => from(HOME, { name: 'c' }))).toBe(0)
    expect(await count(5, () => from(stranger(1)))).toBe(3)
  })

  it('an address that is refused takes nothing from the account', async () => {
    const { count, from, account, limits } = await setUp()
    // Far more than the account's cap. Tokens come back, so a slow machine admits more than three.
    expect(await count(1500, () => from(stranger(1)))).toBeLessThan(100)
    expect(await isAdmitted(limits.password(account(), clientOf(HOME, undefined), never))).toBe(true)
  })

  it('very many addresses reach the cap of the account, which known browsers and addresses are free of', async () => {
    const { from, account, limits } = await setUp()
    let admitted = 0
    // Tokens come back, so a slow machine needs a few more.
    while (await isAdmitted(from(stranger(admitted)))) admitted += 1
    expect(admitted).toBeGreaterThanOrEqual(1000)
    expect(await isAdmitted(from(HOME, { browser: 'hers' }))).toBe(true)
    const home = clientOf('192.0.2.2', undefined)
    expect(await isAdmitted(limits.password(account(), home, async () => true))).toBe(true)
    expect(await isAdmitted(from('192.0.2.3', { name: 'another account' }))).toBe(true)
  })

  it('a known browser is counted by itself, whatever its address does', async () => {
    const { count, from } = await setUp()
    expect(await count(20, () => from(HOME))).toBe(3)
    expect(await count(20, () => from(HOME, { browser: 'hers' }))).toBe(3)
    expect(await count(20, () => from(HOME, { browser: 'another of hers' }))).toBe(3)
  })

  it('successes are limited too, and leave the failures alone', async () => {
    const { count, from } = await setUp()
    const succeed = async (name?: string) => {
      const counted = await from(HOME, name === undefined ? {} : { name })
      counted.succeeded()
      return counted
    }
    expect(await count(20, () => succeed())).toBe(5)
    // Five and the one that was refused by the account's count: three are left for the address.
    expect(await count(20, () => succeed('b'))).toBeLessThanOrEqual(4)
    expect(await count(20, () => from(stranger(2)))).toBe(3)
  })

  it('codes are limited per account, passkeys and links by address, and sessions by themselves', async () => {
    const { count, from, limits, account } = await setUp()
    const codes = (number: number) => limits.code(account(), clientOf(stranger(number), undefined))
    expect((await count(2, () => codes(1))) + (await count(2, () => codes(2)))).toBe(3)
    expect(await isAdmitted(limits.code(account(), clientOf(HOME, 'hers')))).toBe(true)
    const place = `2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}`
    expect(await count(20, () => limits.link(`${place}::1`))).toBe(7)
    expect(await count(20, () => limits.link(`${place}::2`))).toBe(0)
    expect(await count(20, () => limits.passkey(account('passkey'), `${place}::3`))).toBe(3)
    expect(await count(20, () => limits.session(account('session')))).toBe(3)
    expect(await count(20, () => from(HOME))).toBe(3)
  })
})

async function isAdmitted(attempt: Promise<Try>): Promise<boolean> {
  try {
    await attempt
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rate_limited') return false
    throw error
  }
}
