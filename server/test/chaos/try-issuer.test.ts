// `cardstock issuer try` against simulated providers: it passes, says what is missing, refuses real cards, and leaves nothing behind.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LithicSimulator, startLithicSimulator } from '../../src/adapter/simulators/lithic/start.ts'
import { type StripeSimulator, startStripeSimulator } from '../../src/adapter/simulators/stripe/start.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log.ts'
import { API_KEY, DETAILS as LITHIC_DETAILS, FUNDING } from '../adapter/lithic/world.ts'
import { DETAILS as STRIPE_DETAILS, SECRET_KEY } from '../adapter/stripe/world.ts'
import { cardstock } from '../cli/run.ts'

const TMPDIR = mkdtempSync(join(tmpdir(), 'cardstock try '))
let lithic: LithicSimulator
let stripe: StripeSimulator
let environ: Record<string, string>

beforeAll(async () => {
  const log = createLog({ level: 'silent' })
  const shared = { clock: systemClock, log, host: '127.0.0.1', port: 0, controlPort: 0, float: 1_000_000n }
  lithic = await startLithicSimulator({ ...shared, apiKey: API_KEY, mode: 'balance', fundingAccount: FUNDING })
  stripe = await startStripeSimulator({ ...shared, secretKey: SECRET_KEY })
  environ = {
    TMPDIR,
    LITHIC_URL: lithic.url,
    LITHIC_API_KEY: API_KEY,
    LITHIC_FUNDING_ACCOUNT: FUNDING,
    STRIPE_URL: stripe.url,
    STRIPE_SECRET_KEY: SECRET_KEY,
  }
})
afterAll(async () => {
  await lithic.stop()
  await stripe.stop()
  rmSync(TMPDIR, { recursive: true, force: true })
})

const sets = (details: Readonly<Record<string, string>>) =>
  Object.entries(details).flatMap(([name, value]) => ['--set', `${name}=${value}`])

test.each([
  ['lithic', LITHIC_DETAILS],
  ['stripe', STRIPE_DETAILS],
])('a trial with %s passes, and leaves nothing behind', async (provider, details) => {
  const ended = await cardstock(['issuer', 'try', '--provider', provider, ...sets(details)], environ)
  expect(ended.code, ended.err).toBe(0)
  expect(ended.out).toContain('The trial has passed.')
  expect(ended.err).toContain('Server, issuer and provider agree.')
  expect(readdirSync(TMPDIR)).toEqual([])
})

test.each([
  [['--provider', 'lithic'], {}, '--set first_name='],
  [[], {}, '--provider'],
  [['--provider', 'stripe'], { STRIPE_SECRET_KEY: 'sk_live_ofnobodyatstripe' }, 'issues real cards'],
  [['--provider', 'lithic'], { LITHIC_API_KEY: 'another-key-of-nobody' }, 'LITHIC_API_KEY'],
  [['--provider', 'lithic', '--deposit', 'tron'], {}, 'TRON_NETWORK is mainnet'],
])('%j %j is refused with what to change', async (args, changes, message) => {
  const ended = await cardstock(['issuer', 'try', ...args], { ...environ, ...changes })
  expect(ended.code).not.toBe(0)
  expect(ended.err).toContain(message)
  expect(readdirSync(TMPDIR)).toEqual([])
})
