// The settings of the Stripe provider, and the command that starts a simulated Stripe with settings that work.
import { afterAll, expect, test } from 'vitest'
import { definition } from '../../../src/adapter/providers/stripe/definition.ts'
import { type Environ, listSettings, readValues } from '../../../src/config/config.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { start } from '../../cli/run.ts'
import { until } from '../../support/wait.ts'

const read = (environ: Environ) => readValues(environ, definition.settings)
const create = (environ: Environ) => definition.create(read(environ), systemClock)
const KEY = 'rk_test_ofnobodyatstripe'

test('the default is the address of Stripe, and the key decides whether cards are real', () => {
  expect(read({}).STRIPE_URL).toBe('https://api.stripe.com')
  expect(create({ STRIPE_SECRET_KEY: KEY }).about).toMatchObject({ provider: 'Stripe (test)', mode: 'test' })
  expect(create({ STRIPE_SECRET_KEY: 'sk_live_ofnobodyatstripe' }).about.mode).toBe('live')
})

test.each([
  [{}, 'Set STRIPE_SECRET_KEY'],
  [{ STRIPE_SECRET_KEY: 'pk_live_ofnobodyatstripe' }, 'STRIPE_SECRET_KEY must be a secret or restricted key'],
  [{ STRIPE_SECRET_KEY: KEY, STRIPE_URL: 'http://api.stripe.com' }, 'STRIPE_URL must begin with https://'],
] as const)('%j is refused with what to change', (environ, message) => {
  expect(() => create(environ)).toThrow(message)
})

test('the key is not shown', () => {
  expect(JSON.stringify(listSettings({ STRIPE_SECRET_KEY: KEY }, definition.settings))).not.toContain(KEY)
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
  const provider = create(environ)
  await provider.check()
  expect(await provider.readFloat()).toBe(100_000_000n)
  child.kill('SIGTERM')
  expect(await until('it has stopped', () => child.exitCode !== null && { code: child.exitCode })).toEqual({ code: 0 })
})
