// Starts an issuer beside the server, if the settings say who issues cards or takes deposits. It is a process of its own: the keys of providers never
// enter a process that serves, and the keys of the server never enter the issuer.
import { type ChildProcess, fork } from 'node:child_process'
import { listProviders, loadProviderSettings } from '../../adapter/provider-kit/find-providers.ts'
import { type Config, ConfigError, type Environ } from '../../config/config.ts'
import { SETTINGS } from '../../config/settings.ts'
import type { Log } from '../../lib/log.ts'
import { packagePath } from '../../lib/package-path.ts'
import { readOrMakeIssuerSecret } from '../issuer/secret.ts'
import { findFreePort } from './group/free-port.ts'
import type { Undo } from './stop.ts'

const MAIN = packagePath('program/dist/main.js')
const HOST = '127.0.0.1'
/** The pause before an issuer that ended is started again. It doubles with each failure in a row. */
const RESTART_MS_MIN = 100
const RESTART_MS_MAX = 30_000
/** An issuer that ran this long does not end because of how it starts. */
const STABLE_MS = 60_000
/** An issuer that has not stopped by then is ended. What it was sending is looked up after the next start. */
const STOP_MS_MAX = 5_000
/** Settings of the issuer that the server's own settings declare. */
const OF_ISSUER = /^(ISSUER|TRON)_/

export interface OwnIssuer {
  /** What changes in the environment of the processes that serve: the address of the issuer, and no keys of providers. */
  readonly serverEnviron: Readonly<Record<string, string>>
  /** It is started again whenever it ends, until `undo` is carried out. */
  start(log: Log, undo: Undo): void
}

/** Returns undefined if the settings name no issuer. */
export async function prepareOwnIssuer(environ: Environ, config: Config): Promise<OwnIssuer | undefined> {
  const { ownIssuer } = config
  if (ownIssuer === undefined) return undefined
  const known = [...listProviders(), 'reference', 'none']
  if (!known.includes(ownIssuer.cards)) {
    throw new ConfigError(`Wrong settings: ISSUER_CARDS must be one of ${known.join(', ')}. See docs/configuration.md.`)
  }
  if (config.issuer.url !== undefined) {
    throw new ConfigError(
      'Wrong settings: ISSUER_URL names an issuer elsewhere, and ISSUER_CARDS or ISSUER_INVOICES start one here. Remove one of them.',
    )
  }
  const secret = readOrMakeIssuerSecret(config)
  const choose = async (port: number) => (port === 0 ? findFreePort(HOST) : port)
  const port = await choose(config.reference.port)
  const controlPort = await choose(config.reference.controlPort)
  const providers = await loadProviderSettings()
  const own = { HOST, ISSUER_SECRET: secret, ISSUER_PORT: String(port), ISSUER_CONTROL_PORT: String(controlPort) }
  const env = { ...withoutSecretsOf(environ, SETTINGS), ...own }
  const args = ['issuer', '--child', '--cards', ownIssuer.cards, '--invoices', ownIssuer.invoices]
  return {
    serverEnviron: {
      ISSUER_URL: `http://${HOST}:${port}`,
      ISSUER_SECRET: secret,
      // A variable that is set to nothing counts as not set.
      ISSUER_CARDS: '',
      ISSUER_INVOICES: '',
      ...blank(['TRON_XPUB', 'TRON_API_KEY', 'ISSUER_DATABASE_URL']),
      ...blank(Object.keys(providers)),
    },
    start: (log, undo) =>
      keepRunning(() => fork(MAIN, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }), log, undo),
  }
}

function blank(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, '']))
}

/** Leaves out the secrets of the server. */
function withoutSecretsOf(environ: Environ, settings: typeof SETTINGS): Record<string, string | undefined> {
  const secrets = Object.entries(settings).filter(([name, { secret }]) => secret && !OF_ISSUER.test(name))
  return { ...environ, ...Object.fromEntries(secrets.map(([name]) => [name, undefined])) }
}

function keepRunning(launch: () => ChildProcess, log: Log, undo: Undo): void {
  let stopping = false
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let child: ChildProcess
  let ended: Promise<void>
  const start = () => {
    const startedMs = performance.now()
    child = launch()
    ended = new Promise((resolve) => {
      const end = (how: object) => {
        resolve()
        if (stopping) return
        failures = performance.now() - startedMs >= STABLE_MS ? 1 : failures + 1
        log.error(how, 'The issuer ended. It is started again; operations in live wait meanwhile.')
        timer = setTimeout(start, Math.min(RESTART_MS_MAX, RESTART_MS_MIN * 2 ** (failures - 1)))
      }
      child.once('exit', (code, signal) => end({ code, signal }))
      // A process that could not be started never exits. Other errors come before an exit.
      child.on('error', (error) => {
        if (child.pid === undefined) end({ error })
      })
    })
  }
  start()
  undo.push(async () => {
    stopping = true
    clearTimeout(timer)
    // It ends by itself when nobody is left at the other end of the line, also if this process is killed.
    if (child.connected) child.disconnect()
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
    await ended
    clearTimeout(kill)
  })
}
