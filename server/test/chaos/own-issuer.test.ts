// A server that starts its issuer beside itself: keys stay where they belong, an issuer that is killed comes back, and none is left when the server is
// gone.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LithicSimulator, startLithicSimulator } from '../../src/adapter/simulators/lithic/start.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log.ts'
import { must } from '../../src/lib/invariant.ts'
import { cardstock } from '../cli/run.ts'
import { findFreePort } from '../support/free-port.ts'
import { ask, listChildren, readCredentials, type ServerProcess, startServer, until } from './server.ts'

const API_KEY = 'simulated-lithic-key'
const dataDir = mkdtempSync(join(tmpdir(), 'cardstock own issuer '))
let lithic: LithicSimulator
let server: ServerProcess
let environ: Record<string, string>

beforeAll(async () => {
  lithic = await startLithicSimulator({
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    host: '127.0.0.1',
    port: 0,
    controlPort: 0,
    apiKey: API_KEY,
    mode: 'limit',
    fundingAccount: '5e9483eb-8103-4e16-9794-2106111b2eca',
    float: 1_000_000n,
  })
  environ = {
    DATA_DIR: dataDir,
    DEMO: 'false',
    LOG_LEVEL: 'silent',
    ISSUER_CARDS: 'lithic',
    ISSUER_PORT: '0',
    ISSUER_CONTROL_PORT: String(await findFreePort()),
    LITHIC_URL: lithic.url,
    LITHIC_API_KEY: API_KEY,
    LITHIC_MODE: 'limit',
    METRICS_TOKEN: 'a-token-for-metrics',
  }
  server = await startServer(environ, [])
})
afterAll(async () => {
  await server.kill()
  await lithic.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

interface LiveIssuer {
  isAnswering: boolean
  provider: string
}
function argumentsOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
const isIssuer = (pid: number) => / issuer --child /.test(argumentsOf(pid))
const findIssuer = () => listChildren(server.pid).find(isIssuer)
const isAnswering = async () => {
  const token = readCredentials(dataDir).operatorToken
  const answer = await ask<LiveIssuer>(server, 'GET', '/admin/v1/issuer', { token })
  return answer?.body.isAnswering === true && answer.body
}

test('the server reaches the issuer that it started, and the command line does too, without a secret to copy', async () => {
  expect(await until('the issuer answers', isAnswering)).toMatchObject({ provider: expect.stringContaining('Lithic') })
  const here = { DATA_DIR: dataDir, ISSUER_CONTROL_PORT: must(environ['ISSUER_CONTROL_PORT']) }
  const listed = await cardstock(['issuer', 'requests'], here)
  expect(listed).toMatchObject({ code: 0, out: 'No request is open.\n' })
  const resent = await cardstock(['issuer', 'resend-events'], here)
  expect(resent).toMatchObject({ code: 0, out: 'Events that are sent again: 0.\n' })
  expect(statSync(join(dataDir, 'issuer.secret')).mode & 0o777).toBe(0o600)
})

test.runIf(process.platform === 'linux')(
  'no process that serves has the key of the provider, and the issuer has none of the server',
  async () => {
    const environOf = (pid: number) => readFileSync(`/proc/${pid}/environ`, 'utf8')
    const [issuer, serving] = [must(findIssuer()), listChildren(server.pid).filter((pid) => !isIssuer(pid))]
    expect(serving).toHaveLength(2)
    for (const pid of serving) expect(environOf(pid)).not.toContain(API_KEY)
    expect(environOf(issuer)).toContain(API_KEY)
    expect(environOf(issuer)).not.toContain('a-token-for-metrics')
  },
)

test('an issuer that is killed is started again', async () => {
  const first = must(findIssuer())
  process.kill(first, 'SIGKILL')
  await until('another one runs', () => {
    const now = findIssuer()
    return now !== undefined && now !== first
  })
  expect(await until('it answers', isAnswering)).toMatchObject({ isAnswering: true })
})

test('a signal to all processes stops them in order, and a killed server leaves no issuer behind', async () => {
  for (const pid of listChildren(server.pid)) process.kill(pid, 'SIGTERM')
  expect(await server.stop()).toBe(0)
  server = await startServer(environ, [])
  const issuer = await until('the issuer runs', () => findIssuer() ?? false)
  await until('it answers', isAnswering)
  await server.kill()
  await until('the issuer has ended', () => argumentsOf(issuer) === '')
})

test.each([
  [{ ISSUER_CARDS: 'nobody' }, [], 'ISSUER_CARDS must be one of lithic, stripe, reference, none'],
  [{ ISSUER_URL: 'http://127.0.0.1:1', ISSUER_SECRET: '0'.repeat(32) }, [], 'Remove one of them'],
  [{ DATABASE_URL: 'postgres://127.0.0.1:1/x' }, [], 'need ISSUER_DATABASE_URL'],
  [{}, ['--role', 'worker'], 'A server with --role starts no issuer'],
])('%j %j is refused', async (changes, args, message) => {
  const ended = await cardstock(['serve', ...args], { ...environ, ...changes })
  expect(ended.code).not.toBe(0)
  expect(ended.err).toContain(message)
})
