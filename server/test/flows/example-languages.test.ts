// The programs in examples/python and examples/go run against a real server, where the language is installed. One that is missing is
// reported as not installed.
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestServer } from '../support/harness.ts'

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url))
const LANGUAGES = [
  { name: 'Python', command: 'python3', probe: '--version', args: ['python/receive_webhooks.py'] },
  { name: 'Go', command: 'go', probe: 'version', args: ['run', './go'] },
] as const

let server: TestServer
beforeAll(async () => {
  server = await TestServer.start()
})
afterAll(async () => {
  await server.stop()
})

function run(command: string, args: readonly string[], key: string): Promise<string> {
  return new Promise((resolve) => {
    let out = ''
    const environ = { CARDSTOCK_URL: server.baseUrl, CARDSTOCK_API_KEY: key, PYTHONDONTWRITEBYTECODE: '1' }
    // Go downloads nothing: the program has no dependencies.
    const offline = {
      HOME: process.env['HOME'],
      GOFLAGS: '-mod=mod',
      GOPROXY: 'off',
      GOTOOLCHAIN: 'local',
    }
    const child = spawn(command, args, { cwd: examples, env: { PATH: process.env['PATH'], ...environ, ...offline } })
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.on('close', () => resolve(out))
  })
}

for (const { name, command, probe, args } of LANGUAGES) {
  const isInstalled = spawnSync(command, [probe]).status === 0
  test(`a program in ${name}${isInstalled ? '' : ' (not installed here)'} refuses a forged request and verifies an event`, async () => {
    if (!isInstalled) return
    const company = await server.createCompany()
    // A receiver of webhooks compares the server's clock with its own.
    server.clock.set(new Date().toISOString())
    const lines = (await run(command, args, company.key)).trimEnd().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^Refused: malformed signature\.$/),
      'A forged request is answered with 400.',
      expect.stringMatching(/^Verified: operation op_\w+ is completed with receipt \S+\.$/),
    ])
    const { body } = await server.get('/api/v1/webhook-endpoints', company.key)
    expect(body).toMatchObject({ data: [] })
  })
}
