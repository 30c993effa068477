// The programs in examples/python and examples/go call a real server with their generated clients, where the language is installed. One that
// is missing is reported as not installed.
import { createHash } from 'node:crypto'
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestServer } from '../support/harness.ts'

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url))
const LANGUAGES = [
  {
    name: 'Python',
    needs: 'Python 3 with the packages of examples/python/requirements.txt',
    command: 'python3',
    probe: ['-c', 'import dateutil, pydantic, typing_extensions, urllib3'],
    args: ['python/receive_webhooks.py'],
    client: 'python/cardstock_client',
  },
  { name: 'Go', needs: 'Go', command: 'go', probe: ['version'], args: ['run', './go'], client: 'go/client' },
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

describe.each(LANGUAGES)('the program in $name', ({ name, needs, command, probe, args, client }) => {
  const isInstalled = spawnSync(command, probe).status === 0

  test('has a client that was generated from the document as it is now', () => {
    const document = readFileSync(join(examples, 'openapi.json'))
    const mark = readFileSync(join(examples, client, 'generated-from.txt'), 'utf8').trim()
    const advice = 'Run: npm run example-clients -- --tools <folder>'
    expect(mark, advice).toBe(createHash('sha256').update(document).digest('hex'))
  })

  test(`refuses a forged request and verifies an event${isInstalled ? '' : ' (not installed here)'}`, async () => {
    if (!isInstalled) return console.log(`The program in ${name} was not run: ${needs} is not installed.`)
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
    return expect(body).toMatchObject({ data: [] })
  })
})
