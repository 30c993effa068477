// The doctor's checks of the machine, the settings, the data folder and the running server. They change nothing.
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describeError } from '@cardstock/cli'
import { credentialsPath } from '@cardstock/cli/credentials'
import { findFile } from '@cardstock/cli/files'
import { type Config, type Environ, readConfig } from '../../../config/config.ts'
import { STOPPED_METRIC } from '../../../issuer/metrics.ts'
import { START_COMMAND } from '../../installation.ts'
import { examineDatabase } from './database.ts'
import { type Check, fail, ok, warn } from './check.ts'
import {
  checkCollector,
  checkDisk,
  checkExposure,
  checkLiveIssuer,
  checkMail,
  checkProxy,
  checkRedis,
} from './machine.ts'

const NODE_MIN = { major: 20, minor: 19 }
/** A server that does not answer within this time is not ready. */
const READY_TIMEOUT_MS = 5_000
/** The bits of a folder's mode that let others read or write. Not `x`, because PostgreSQL's account may need it. */
const OTHERS_WRITE = 0o022
const OTHERS_READ = 0o044

/** A line of the metrics, for each kind of call that an issuer does not answer. */
const STOPPED_CALLS = new RegExp(`^${STOPPED_METRIC}\\{environment="(\\w+)",call="(\\w+)"\\} 1$`, 'gm')

export async function examine(environ: Environ): Promise<Check[]> {
  const checks = [checkNode(process.versions.node)]
  let config: Config
  try {
    config = readConfig(environ)
  } catch (error) {
    return [...checks, fail('settings', `${describeError(error)} The other checks need valid settings.`)]
  }
  checks.push(ok('settings', 'valid; see them with cardstock config'))
  checks.push(await checkDataFolder(config), await checkDisk(config), ...checkProxy(config), ...checkExposure(config))
  const server = await checkServer(config)
  const database = await examineDatabase(config)
  const issuer = server.status === 'ok' ? await checkIssuer(config) : []
  return [
    ...checks,
    ...database,
    server,
    ...issuer,
    ...(await checkLiveIssuer(config)),
    ...(await checkRedis(config)),
    ...(await checkMail(config)),
    ...(await checkCollector(config)),
  ]
}

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > NODE_MIN.major || (major === NODE_MIN.major && minor >= NODE_MIN.minor)
  if (isEnough) return ok('node', `version ${version}`)
  return fail('node', `version ${version} is too old. Install ${NODE_MIN.major}.${NODE_MIN.minor} or newer.`)
}

async function checkDataFolder({ dataDir }: Config): Promise<Check> {
  const name = 'data folder'
  try {
    const found = await stat(dataDir)
    if (!found.isDirectory()) return fail(name, `${dataDir} is not a folder. Set DATA_DIR to one.`)
    const { mode } = found
    await access(dataDir, constants.W_OK)
    const isPosix = process.platform !== 'win32'
    if (isPosix && (mode & OTHERS_WRITE) !== 0) {
      return fail(name, `${dataDir} can be written by others. Run: chmod go-w '${dataDir}'`)
    }
    const open = isPosix ? await findReadable(dataDir) : []
    if (open.length > 0) return fail(name, `others can read ${open.join(', ')}. Run: chmod 600 on each.`)
    if (isPosix && (mode & OTHERS_READ) !== 0) {
      return warn(name, `${dataDir} can be listed by others. Run: chmod go-r '${dataDir}'`)
    }
    return ok(name, `${dataDir} is writable and private`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return ok(name, `${dataDir} is not there yet; the first start makes it`)
    }
    return fail(name, `${describeError(error)}. Give the folder to the user who runs the server, or set DATA_DIR.`)
  }
}

async function findReadable(dataDir: string): Promise<string[]> {
  const paths = ['credentials.json', 'secret.key', 'secret.key.previous'].map((name) => join(dataDir, name))
  const modes = await Promise.all(
    paths.map((path) =>
      stat(path)
        .then((found) => found.mode)
        .catch(() => 0),
    ),
  )
  return paths.filter((_path, index) => ((modes[index] ?? 0) & (OTHERS_READ | OTHERS_WRITE)) !== 0)
}

async function checkServer(config: Config): Promise<Check> {
  const name = 'server'
  const baseUrl = findAddress(config)
  if (baseUrl === undefined) return warn(name, `never started here. Start it with ${START_COMMAND}.`)
  try {
    const signal = AbortSignal.timeout(READY_TIMEOUT_MS)
    const response = await fetch(`${baseUrl}/readyz`, { redirect: 'manual', signal })
    const answer = (await response.json().catch(() => undefined)) as { status?: string; code?: string } | undefined
    if (response.ok && answer?.status === 'ready') return ok(name, `${baseUrl} is ready`)
    if (response.status === 503 && answer?.code === 'unavailable') {
      return fail(name, `${baseUrl} runs but is not ready: it is stopping, or its database does not answer.`)
    }
    return fail(name, strangerAt(baseUrl))
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return fail(
        name,
        `No answer from ${baseUrl} within ${READY_TIMEOUT_MS / 1000} s. If that is its address (PUBLIC_URL, HOST and PORT), ` +
          'the server hangs: look at its log, and restart it.',
      )
    const reason = describeError(error instanceof Error ? (error.cause ?? error) : error)
    return warn(
      name,
      `Could not reach ${baseUrl} (${reason}). If it should be running, start it with ${START_COMMAND}.`,
    )
  }
}

/** Reports whether the server has stopped calling an issuer. Returns nothing if the metrics cannot be read. */
async function checkIssuer(config: Config): Promise<Check[]> {
  const name = 'issuer'
  try {
    const signal = AbortSignal.timeout(READY_TIMEOUT_MS)
    const { metricsToken } = config.secrets
    const headers = metricsToken === undefined ? {} : { authorization: `Bearer ${metricsToken}` }
    const response = await fetch(`${findAddress(config) ?? ''}/metrics`, { redirect: 'manual', signal, headers })
    if (!response.ok) return []
    const metrics = await response.text()
    const stopped = [...metrics.matchAll(STOPPED_CALLS)].map(([, environment = '', call = '']) => ({
      environment,
      call,
    }))
    if (stopped.length === 0) return [ok(name, 'no issuer is out of service')]
    const which = [...new Set(stopped.map(({ environment }) => environment))].map((environment) => {
      const calls = stopped.filter((each) => each.environment === environment).map(({ call }) => call)
      return `the ${environment} issuer does not answer (${calls.join(', ')}).`
    })
    return [warn(name, `${which.join(' ')} What waits for it is kept; the server tries it again by itself.`)]
  } catch {
    return []
  }
}

function strangerAt(baseUrl: string): string {
  return `another program answers at ${baseUrl}. Stop it, or choose another port by PORT.`
}

/** The address that the server wrote down when it started: whoever runs the doctor may not have its settings. */
function findAddress({ http, dataDir }: Config): string | undefined {
  if (http.publicUrl !== undefined) return http.publicUrl
  const saved = findSavedAddress(dataDir)
  if (saved !== undefined || http.port === 0) return saved
  // A server on every address of the machine is also on its own.
  const host = http.host === '0.0.0.0' ? '127.0.0.1' : http.host === '::' ? '::1' : http.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${http.port}`
}

function findSavedAddress(dataDir: string): string | undefined {
  try {
    return (JSON.parse(findFile(credentialsPath({ dataDir })) ?? '{}') as { baseUrl?: string }).baseUrl
  } catch {
    return undefined
  }
}
