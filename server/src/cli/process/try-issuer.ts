// `cardstock issuer try`: runs the whole way of a card against a provider's own sandbox, with a server and an issuer that are started for it and
// thrown away. It refuses real cards and real money.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { UsageError } from '@cardstock/cli'
import { type Credentials, credentialsPath } from '@cardstock/cli/credentials'
import { CardstockAdmin } from '@cardstock/sdk'
import { loadProvider } from '../../adapter/provider-kit/find-providers.ts'
import { type Environ, readConfig, readValues } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { packagePath } from '../../lib/package-path.ts'
import { findFreePort } from './group/free-port.ts'
import { runCycle } from './try-cycle.ts'

const MAIN = packagePath('program/dist/main.js')
const HOST = '127.0.0.1'
/** Both make databases first. */
const START_MS_MAX = 120_000
const LOOK_MS = 200
/** What belongs to the server that runs here otherwise. */
const NOT_FOR_TRIALS = [
  'DATABASE_URL',
  'ISSUER_DATABASE_URL',
  'ISSUER_URL',
  'ISSUER_SECRET',
  'PUBLIC_URL',
  'SECRET_KEY',
  'OPERATOR_TOKEN',
  'ADMIN_PORT',
  'REDIS_URL',
]

export interface TryOptions {
  readonly provider: string
  readonly deposit: 'reference' | 'tron'
  /** What the provider needs to know of the holder. */
  readonly set?: Readonly<Record<string, string>> | undefined
}

export async function tryIssuer(environ: Environ, options: TryOptions, say: (text: string) => void): Promise<void> {
  await requireTrial(environ, options)
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-try-'))
  const controlPort = await findFreePort(HOST)
  const own: Environ = {
    ...environ,
    ...Object.fromEntries(NOT_FOR_TRIALS.map((name) => [name, undefined])),
    DATA_DIR: dataDir,
    HOST,
    PORT: '0',
    DEMO: 'false',
    LOG_LEVEL: 'warn',
    ISSUER_CARDS: options.provider,
    ISSUER_INVOICES: options.deposit,
    ISSUER_PORT: '0',
    ISSUER_CONTROL_PORT: String(controlPort),
  }
  const server = fork(MAIN, ['serve', '--processes', '0'], {
    env: { ...own },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  // The trial then fails, and what it made is removed.
  const stop = () => void server.kill('SIGTERM')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  try {
    say('Starting a server and an issuer for the trial …')
    const { baseUrl, operatorToken } = await awaitStart(server, dataDir)
    const controlUrl = `http://${HOST}:${controlPort}`
    await runCycle({ ...options, baseUrl, operatorToken, controlUrl, environ: own, say })
  } finally {
    stop()
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Throws unless everything is a test: nobody should try with real money what this trial does. */
async function requireTrial(environ: Environ, { provider: name, deposit }: TryOptions): Promise<void> {
  const { settings, create } = await loadProvider(name)
  const provider = create(readValues(environ, settings), systemClock)
  try {
    if (provider.about.mode !== 'test') {
      throw new UsageError(`${provider.about.provider} issues real cards. Use the keys of its sandbox for a trial.`)
    }
    if (deposit === 'tron' && readConfig(environ).reference.tron.network === 'mainnet') {
      throw new UsageError('TRON_NETWORK is mainnet, which is real money. Set it to nile or simulated for a trial.')
    }
    await provider.check()
  } finally {
    await provider.close()
  }
}

async function awaitStart(
  server: ChildProcess,
  dataDir: string,
): Promise<{ readonly baseUrl: string; readonly operatorToken: string }> {
  for (let waitedMs = 0; waitedMs < START_MS_MAX; waitedMs += LOOK_MS) {
    if (server.exitCode !== null) throw new UsageError('The server of the trial ended. Its messages are above.')
    const { baseUrl, operatorToken } = readCredentials(dataDir)
    if (baseUrl !== undefined && operatorToken !== undefined && (await isReady(baseUrl, operatorToken)))
      return { baseUrl, operatorToken }
    await pause(LOOK_MS)
  }
  throw new UsageError('The server of the trial did not start in time.')
}

function readCredentials(dataDir: string): Partial<Credentials> {
  try {
    return JSON.parse(readFileSync(credentialsPath({ dataDir }), 'utf8')) as Partial<Credentials>
  } catch {
    // It is not there yet.
    return {}
  }
}

/** Until it is ready, it answers 503. */
async function isReady(baseUrl: string, operatorToken: string): Promise<boolean> {
  try {
    await new CardstockAdmin({ baseUrl, operatorToken }).companies.list({ limit: 1 }).toArray({ max: 1 })
    return true
  } catch {
    return false
  }
}
