// What the adapter reads from Stripe beside its requests: whether the settings are right, all cards, and the float. And that no key gets out.
import { afterAll, expect, test } from 'vitest'
import { UnreachableError } from '../../../src/adapter/set-up-error.ts'
import { must } from '../../../src/lib/invariant.ts'
import { SECRET_KEY, StripeWorld } from './world.ts'

const stripe = await StripeWorld.start()
afterAll(() => stripe.stop())

test('the check passes with the right settings, also if there are events of other kinds, and reads only', async () => {
  await stripe.provider.check()
  stripe.world.events.push({ id: 'evt_1', type: 'price.created', created: stripe.world.now(), object: { object: 'x' } })
  await stripe.provider.check()
  expect(stripe.world.events).toHaveLength(1)
})

test.each([['a wrong key', { secretKey: 'sk_test_another' }, /STRIPE_SECRET_KEY/]] as const)(
  'the check refuses %s and says what to change',
  async (_name, settings, message) => {
    await expect(stripe.createProvider(settings).check()).rejects.toThrow(message)
    await expect(stripe.createProvider(settings).check()).rejects.not.toThrow(/sk_test_another/)
  },
)

test('the check says that the provider does not answer, which is no fault of the settings', async () => {
  await expect(stripe.createProvider({ url: 'http://127.0.0.1:9' }).check()).rejects.toThrow(UnreachableError)
  for (const mode of ['cut', '429', '500', '503'] as const) {
    stripe.behave('readBalance', mode)
    await expect(stripe.provider.check()).rejects.toThrow(UnreachableError)
  }
})

test.each(['listCards', 'listHolders', 'listAuthorizations', 'listTransactions', 'listEvents'] as const)(
  'the check refuses a key that may not use %s',
  async (route) => {
    stripe.behave(route, '403')
    await expect(stripe.provider.check()).rejects.toThrow(/its permissions/)
  },
)

test('the check refuses a key of the other side, and an account without Issuing', async () => {
  const answer = (body: object) => ({
    transmit: async () => ({ kind: 'answered' as const, status: 200, headers: {}, body: JSON.stringify(body) }),
  })
  const live = stripe.createProvider(answer({ livemode: true, issuing: { available: [] } }))
  await expect(live.check()).rejects.toThrow('is not a key of the side')
  await expect(stripe.createProvider(answer({ livemode: false })).check()).rejects.toThrow('no Issuing balance in USD')
})

test('all cards are listed with their statuses and limits, over several pages', async () => {
  const { providerId } = await stripe.card('25.00')
  const own = must(stripe.world.cards.get(providerId))
  for (let made = 0; made < 120; made += 1) {
    const id = stripe.world.newId('ic')
    stripe.world.cards.set(id, { ...own, id, limits: [], status: made === 0 ? 'inactive' : 'canceled' })
  }
  const listed = await stripe.listed()
  expect(listed).toHaveLength(121)
  expect(listed).toContainEqual({ providerId, status: 'active', amount: 2_500n })
  expect(listed.filter(({ status, amount }) => status === 'frozen' && amount === 0n)).toHaveLength(1)
  expect(listed.filter(({ status }) => status === 'closed')).toHaveLength(119)
  stripe.behave('listCards', '500')
  await expect(stripe.listed()).rejects.toThrow('cannot be read')
})

test('the float is the Issuing balance', async () => {
  stripe.world.balance = 123_400n
  expect(await stripe.provider.readFloat()).toBe(123_400n)
  stripe.behave('readBalance', '500')
  await expect(stripe.provider.readFloat()).rejects.toThrow('cannot be read')
})

test('the key decides whether cards are real', () => {
  const about = (secretKey: string, url = 'https://api.stripe.com') => stripe.createProvider({ secretKey, url }).about
  expect(about('sk_live_x')).toMatchObject({ provider: 'Stripe', mode: 'live', cardMode: 'limit' })
  expect(about('rk_live_x')).toMatchObject({ mode: 'live' })
  expect(about('rk_test_x')).toMatchObject({ provider: 'Stripe (test)', mode: 'test' })
  expect(stripe.provider.about.provider).toMatch(/^Stripe \(127\.0\.0\.1:\d+\)$/)
})

test.each([
  ['400', 'No such card 4242 4242 4242 4242'],
  ['500', 'The number 4242424242424242'],
  ['400', 'ada@example.com is not valid'],
] as const)(
  'what Stripe says is shown without numbers of cards and e-mail addresses (%s, %s)',
  async (status, message) => {
    const { id } = await stripe.card()
    const body = JSON.stringify({ error: { type: 'invalid_request_error', message } })
    const provider = stripe.createProvider({
      transmit: async () => ({ kind: 'answered', status: Number(status), headers: {}, body }),
    })
    const errors = await Promise.allSettled([provider.check(), provider.readFloat(), provider.poll('1700000000/1')])
    const outcomes = [
      await stripe.run(stripe.topUp(id), provider),
      await stripe.run(stripe.setStatus(id, 'frozen'), provider),
      await stripe.run(stripe.issue(), provider),
      errors.map((settled) => (settled.status === 'rejected' ? String(settled.reason) : settled.value)),
    ]
    const text = JSON.stringify(outcomes)
    expect(text).toContain(status)
    expect(text).not.toMatch(/4242|ada@example/)
    expect(text).not.toContain(SECRET_KEY)
  },
)
