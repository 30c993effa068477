// The settings of the Lithic provider, and the command that starts a simulated Lithic with settings that work.
import { afterAll, expect, test } from 'vitest'
import { definition } from '../../../src/adapter/providers/lithic/definition.ts'
import { type Environ, listSettings, readValues } from '../../../src/config/config.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { start } from '../../cli/run.ts'
import { until } from '../../support/wait.ts'

const read = (environ: Environ) => readValues(environ, definition.settings)
const create = (environ: Environ) => definition.create(read(environ), systemClock)
const KEY = 'a-key-of-nobody-at-lithic'
const ACCOUNT = '5e9483eb-8103-4e16-9794-2106111b2eca'

test('the defaults are the sandbox and cards with a balance', () => {
  const { about } = create({ LITHIC_API_KEY: KEY, LITHIC_FUNDING_ACCOUNT: ACCOUNT })
  expect(about).toMatchObject({ provider: 'Lithic (sandbox)', mode: 'test', cardMode: 'balance' })
})

test('physical products are named with their designs', () => {
  const environ = { LITHIC_API_KEY: KEY, LITHIC_MODE: 'limit', LITHIC_PHYSICAL_PRODUCTS: 'plastic=12, metal=13' }
  expect([...(read(environ).LITHIC_PHYSICAL_PRODUCTS ?? [])]).toEqual([
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
  [{ LITHIC_API_KEY: KEY, LITHIC_VIRTUAL_PRODUCTS: 'card' }, 'LITHIC_VIRTUAL_PRODUCTS must be a list of products'],
] as const)('%j is refused with what to change', (environ, message) => {
  expect(() => create(environ)).toThrow(message)
})

test('the key is not shown', () => {
  expect(JSON.stringify(listSettings({ LITHIC_API_KEY: KEY }, definition.settings))).not.toContain(KEY)
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
  const provider = create(environ)
  expect(provider.about.cardMode).toBe('limit')
  await provider.check()
  expect(await provider.readFloat()).toBe(100_000_000n)
  child.kill('SIGTERM')
  expect(await until('it has stopped', () => child.exitCode !== null && { code: child.exitCode })).toEqual({ code: 0 })
})
