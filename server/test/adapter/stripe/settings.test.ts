// The settings of the Stripe provider, and the command that starts a simulated Stripe with settings that work.
import { afterAll, expect, test } from 'vitest'
import { createStripe } from '../../../src/adapter/providers/stripe/stripe.ts'
import { requireStripe } from '../../../src/cli/process/stripe-settings.ts'
import { listSettings, readConfig } from '../../../src/config/config.ts'
import { start } from '../../cli/run.ts'
import { until } from '../../support/wait.ts'

const KEY = 'rk_test_ofnobodyatstripe'

test('the default is the address of Stripe, and the key decides whether cards are real', () => {
  const settings = requireStripe(readConfig({ STRIPE_SECRET_KEY: KEY }))
  expect(settings).toMatchObject({ url: 'https://api.stripe.com', secretKey: KEY })
  expect(createStripe(settings).about).toMatchObject({ provider: 'Stripe (test)', mode: 'test' })
  const live = requireStripe(readConfig({ STRIPE_SECRET_KEY: 'sk_live_ofnobodyatstripe' }))
  expect(createStripe(live).about.mode).toBe('live')
})

test.each([
  [{}, 'Set STRIPE_SECRET_KEY'],
  [{ STRIPE_SECRET_KEY: 'pk_live_ofnobodyatstripe' }, 'STRIPE_SECRET_KEY must be a secret or restricted key'],
  [{ STRIPE_SECRET_KEY: KEY, STRIPE_URL: 'http://api.stripe.com' }, 'STRIPE_URL must begin with https://'],
] as const)('%j is refused with what to change', (environ, message) => {
  expect(() => requireStripe(readConfig(environ))).toThrow(message)
})

test('the key is not shown', () => {
  expect(JSON.stringify(listSettings({ STRIPE_SECRET_KEY: KEY }))).not.toContain(KEY)
})

const child = start(['simulate', 'stripe', '--port', '0', '--control-port', '0'])
afterAll(() => void child.kill())

test('cardstock simulate stripe prints settings with which the provider works', async () => {
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text))
  await until('the simulated Stripe is ready', () => printed.includes('STRIPE_SECRET_KEY='))
  const environ = Object.fromEntries(
    [...printed.matchAll(/^ {2}(STRIPE_\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
  )
  const provider = createStripe(requireStripe(readConfig(environ)))
  await provider.check()
  expect(await provider.readFloat()).toBe(100_000_000n)
  child.kill('SIGTERM')
  expect(await until('it has stopped', () => child.exitCode !== null && { code: child.exitCode })).toEqual({ code: 0 })
})
