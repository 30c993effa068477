// The settings of the Lithic provider, and the command that starts a simulated Lithic with settings that work.
import { afterAll, expect, test } from 'vitest'
import { createLithic } from '../../../src/adapter/providers/lithic/lithic.ts'
import { requireLithic } from '../../../src/cli/process/lithic-settings.ts'
import { listSettings, readConfig } from '../../../src/config/config.ts'
import { start } from '../../cli/run.ts'
import { until } from '../../support/wait.ts'

const KEY = 'a-key-of-nobody-at-lithic'
const ACCOUNT = '5e9483eb-8103-4e16-9794-2106111b2eca'

test('the defaults are the sandbox and cards with a balance', () => {
  const settings = requireLithic(readConfig({ LITHIC_API_KEY: KEY, LITHIC_FUNDING_ACCOUNT: ACCOUNT }))
  expect(settings).toMatchObject({
    url: 'https://sandbox.lithic.com',
    mode: 'balance',
    fundingAccount: ACCOUNT,
    apiKey: KEY,
  })
  expect(settings.physicalProducts.size).toBe(0)
})

test('physical products are named with their designs', () => {
  const environ = { LITHIC_API_KEY: KEY, LITHIC_MODE: 'limit', LITHIC_PHYSICAL_PRODUCTS: 'plastic=12, metal=13' }
  const { physicalProducts } = requireLithic(readConfig(environ))
  expect([...physicalProducts]).toEqual([
    ['plastic', '12'],
    ['metal', '13'],
  ])
})

test.each([
  [{}, 'Set LITHIC_API_KEY'],
  [{ LITHIC_API_KEY: KEY }, 'LITHIC_FUNDING_ACCOUNT'],
  [{ LITHIC_API_KEY: KEY, LITHIC_MODE: 'prepaid' }, 'LITHIC_MODE must be one of balance, limit'],
  [{ LITHIC_API_KEY: KEY, LITHIC_FUNDING_ACCOUNT: 'operating' }, 'LITHIC_FUNDING_ACCOUNT must be a UUID'],
  [{ LITHIC_API_KEY: KEY, LITHIC_URL: 'http://api.lithic.com' }, 'LITHIC_URL must begin with https://'],
  [{ LITHIC_API_KEY: KEY, LITHIC_PHYSICAL_PRODUCTS: 'plastic' }, 'LITHIC_PHYSICAL_PRODUCTS must be a list'],
] as const)('%j is refused with what to change', (environ, message) => {
  expect(() => requireLithic(readConfig(environ))).toThrow(message)
})

test('the key is not shown', () => {
  expect(JSON.stringify(listSettings({ LITHIC_API_KEY: KEY }))).not.toContain(KEY)
})

const child = start(['simulate', 'lithic', '--port', '0', '--control-port', '0', '--mode', 'limit'])
afterAll(() => void child.kill())

test('cardstock simulate lithic prints settings with which the provider works', async () => {
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text))
  await until('the simulated Lithic is ready', () => printed.includes('LITHIC_FUNDING_ACCOUNT='))
  const environ = Object.fromEntries(
    [...printed.matchAll(/^ {2}(LITHIC_\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
  )
  const settings = requireLithic(readConfig(environ))
  expect(settings.mode).toBe('limit')
  const provider = createLithic(settings)
  await provider.check()
  expect(await provider.readFloat()).toBe(100_000_000n)
  child.kill('SIGTERM')
  expect(await until('it has stopped', () => child.exitCode !== null && { code: child.exitCode })).toEqual({ code: 0 })
})
