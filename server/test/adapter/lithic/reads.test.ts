// What the adapter reads from Lithic beside its requests: whether the settings are right, all cards, the float, and the page with the number.
import { createHmac } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { purchase } from '../../../src/adapter/simulators/lithic/payments.ts'
import { UnreachableError } from '../../../src/adapter/set-up-error.ts'
import { must } from '../../../src/lib/invariant.ts'
import { API_KEY, FUNDING, LithicWorld } from './world.ts'

const lithic = await LithicWorld.start()
afterAll(() => lithic.stop())

test('the check passes with the right settings, and reads only', async () => {
  await lithic.provider.check()
  await lithic.createProvider({ mode: 'limit', fundingAccount: undefined }).check()
  expect(lithic.world.events).toEqual([])
})

test.each([
  ['a wrong key', { apiKey: 'another-key-of-nobody' }, /LITHIC_API_KEY/],
  ['an unknown funding account', { fundingAccount: '00000000-0000-4000-8000-000000000000' }, /LITHIC_FUNDING_ACCOUNT/],
] as const)('the check refuses %s and says what to change', async (_name, settings, message) => {
  await expect(lithic.createProvider(settings).check()).rejects.toThrow(message)
  await expect(lithic.createProvider(settings).check()).rejects.not.toThrow(/another-key/)
})

test('the check says that the provider does not answer, which is no fault of the settings', async () => {
  await expect(lithic.createProvider({ url: 'http://127.0.0.1:9' }).check()).rejects.toThrow(UnreachableError)
  for (const mode of ['cut', '429', '500', '503'] as const) {
    lithic.behave('status', mode)
    await expect(lithic.provider.check()).rejects.toThrow(UnreachableError)
  }
})

test('all cards are listed with their states and balances, over several pages', async () => {
  const { providerId } = await lithic.card('25.00')
  purchase(lithic.world, { card: providerId, amount: 700n })
  const own = must(lithic.world.cards.get(providerId))
  for (let made = 0; made < 120; made += 1) {
    const token = lithic.world.newToken()
    lithic.world.cards.set(token, { ...own, token, state: made === 0 ? 'PAUSED' : 'CLOSED' })
    lithic.world.accounts.set(token, { total: BigInt(made), held: 0n })
  }
  const listed = await lithic.listed()
  expect(listed).toHaveLength(121)
  expect(listed).toContainEqual({ providerId, status: 'active', amount: 1_800n })
  expect(listed.filter(({ status }) => status === 'frozen')).toHaveLength(1)
  expect(listed.filter(({ status }) => status === 'closed')).toHaveLength(119)
  own.state = 'CLOSED'
  own.substatus = 'EXPIRED'
  own.limit = 4_200n
  const limits = await lithic.listed(lithic.createProvider({ mode: 'limit' }))
  expect(limits).toContainEqual({ providerId, status: 'expired', amount: 4_200n })
})

test('a list that cannot be read is an error, never a shorter list', async () => {
  lithic.behave('listCards', '500')
  await expect(lithic.listed()).rejects.toThrow('cannot be read')
  lithic.behave('readCardBalances', '429')
  await expect(lithic.listed()).rejects.toThrow('cannot be read')
})

test('the float is what the funding account can pay', async () => {
  const account = must(lithic.world.accounts.get(FUNDING))
  account.total = 123_456n
  account.held = 56n
  expect(await lithic.provider.readFloat()).toBe(123_400n)
  account.held = 0n
  lithic.behave('readAccountBalances', '500')
  await expect(lithic.provider.readFloat()).rejects.toThrow('LITHIC_FUNDING_ACCOUNT')
  expect(await lithic.createProvider({ mode: 'limit', fundingAccount: undefined }).readFloat()).toBeUndefined()
})

test('the page with the number is signed with the key, ends soon, and does not show the key', async () => {
  const { id, providerId } = await lithic.card()
  const page = await lithic.provider.numberPage?.(must(lithic.objects.get(id)))
  const url = new URL(page?.url ?? '')
  expect(url.origin + url.pathname).toBe(`${lithic.simulator.url}/v1/embed/card`)
  const request = Buffer.from(url.searchParams.get('embed_request') ?? '', 'base64').toString()
  const expiration = new Date(lithic.clock.now().getTime() + 60_000).toISOString()
  expect(JSON.parse(request)).toEqual({ token: providerId, expiration })
  expect(url.searchParams.get('hmac')).toBe(createHmac('sha256', API_KEY).update(request).digest('base64'))
  expect(url.href).not.toContain(API_KEY)
})

test('only the production address is live', () => {
  const about = (url: string) => lithic.createProvider({ url }).about
  expect(about('https://api.lithic.com')).toMatchObject({ provider: 'Lithic', mode: 'live' })
  expect(about('https://sandbox.lithic.com')).toMatchObject({ provider: 'Lithic (sandbox)', mode: 'test' })
  expect(lithic.provider.about).toMatchObject({
    mode: 'test',
    cardMode: 'balance',
    kinds: ['issue', 'topup', 'card_status'],
  })
})
