// Code that the console offers to copy from the request log. Its paths and bodies come from whoever has a key, so they are made
// hostile here, and the code is run: nothing but the request may happen, and the request must arrive as it was.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toJavaScript, toShellWord, toVisibleJson, toVisibleUrl } from '../../../console/src/lib/quote.ts'
import {
  effectOf,
  listHidden,
  type Sent,
  toCurl,
  toSdk,
} from '../../../console/src/pages/developers/request-log/samples.ts'

const SHELLS = ['bash', 'sh'] as const
/** Each run starts a shell and curl. */
const RUNS_IN_SHELL = 15

interface Arrival {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly body: string
  readonly key: string | undefined
}

let recorder: Server
let baseUrl: string
let folder: string
let arrivals: Arrival[]

beforeAll(async () => {
  recorder = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const { method, url, headers } = request
      arrivals.push({ method, url, body, key: headers['idempotency-key'] as string | undefined })
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }).end('{}')
    })
  })
  await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'copied-code-'))
})
beforeEach(() => {
  arrivals = []
})
afterAll(async () => {
  recorder.close()
  await rm(folder, { recursive: true })
})

/** Runs a program with a text on its standard input, as if it were pasted, in an empty folder. */
async function run(program: string, args: string[], text: string, more: NodeJS.ProcessEnv = {}, cwd = folder) {
  const env = { PATH: process.env['PATH'], HOME: folder, CARDSTOCK_API_KEY: 'cstk_test', ...more }
  const running = promisify(execFile)(program, args, { env, cwd, encoding: 'utf8' })
  running.child.stdin?.end(text)
  const { stdout, stderr } = await running
  return { stdout, stderr }
}

const sent = (change: Partial<Sent>): Sent => ({
  method: 'GET',
  path: '/api/v1/cards',
  query: null,
  requestBody: null,
  idempotencyKey: null,
  ...change,
})

/** Runs the command in a shell and expects that the request arrived as it was, and that nothing else happened. */
async function expectOnlyRequest(shell: string, request: Sent): Promise<void> {
  arrivals = []
  const { stderr } = await run(shell, ['-s'], toCurl(request, baseUrl))
  expect(await readdir(folder)).toEqual([])
  expect(stderr.split('\n').filter((line) => /not found|syntax|unexpected/i.test(line))).toEqual([])
  expect(arrivals).toEqual([
    {
      method: request.method,
      url: request.path + (request.query ?? ''),
      body: request.requestBody === null ? '' : toVisibleJson(request.requestBody),
      key: request.idempotencyKey ?? undefined,
    },
  ])
}

/** What ends quotations, substitutes, redirects, globs or continues, in a shell or in curl. */
const HOSTILE = [
  "y';id>F;'",
  "y'$(id>F)'",
  '$(id>F)',
  '`id>F`',
  '"$(id>F)"',
  "';touch F;#",
  "'\\''$(touch F)",
  "\\';touch F;\\'",
  'y\\',
  '${HOME}',
  '!!;touch$IFS$9F',
  '{a,b}[1-3]*~',
  '../../../etc/passwd',
  '..;/%2e%2e/%00',
  '%0Atouch%20F%0A',
  '@file',
  '-oF',
  '|touch$IFS$9F|',
  '&touch$IFS$9F&',
  '<F>F',
] as const

describe('a copied command', () => {
  test.each(SHELLS)('in %s only sends the request, whatever its path, body and key are', async (shell) => {
    for (const text of HOSTILE) {
      // No request line can contain a space, and no client sends a fragment.
      const path = `/api/v1/cards/${text.replaceAll(/[# ]/g, '')}`
      await expectOnlyRequest(shell, sent({ path }))
      const requestBody = { name: text, [text]: [`${text}\n${text}`, { '@': "''" }] }
      const idempotencyKey = text.replaceAll(/[^\x21-\x7e]/g, '')
      await expectOnlyRequest(shell, sent({ method: 'POST', path: '/api/v1/holders', requestBody, idempotencyKey }))
    }
  })

  test.each(SHELLS)('in %s has the query of the request', async (shell) => {
    for (const text of HOSTILE) {
      const query = `?status=active&q=${text.replaceAll(/[# ]/g, '')}`
      await expectOnlyRequest(shell, sent({ query }))
    }
  })

  test('asks for the head only if the request did', async () => {
    await expectOnlyRequest('bash', sent({ method: 'HEAD' }))
  })

  test.each(SHELLS)('in %s sends nothing while a value of it is hidden', async (shell) => {
    for (const hidden of [{ requestBody: { name: '[redacted]' } }, { query: '?q=[redacted]' }]) {
      const request = sent({ method: 'PATCH', path: '/api/v1/holders/hld_1', ...hidden })
      const refusal = { stderr: expect.stringContaining('Replace every [redacted]') as string }
      await expect(run(shell, ['-s'], toCurl(request, baseUrl))).rejects.toMatchObject(refusal)
      expect(toSdk(request, baseUrl)).toContain("throw new Error('Replace every [redacted]")
    }
    expect(arrivals).toEqual([])
  })

  test.each(SHELLS)('in %s is one request for any path and body', async (shell) => {
    const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
    const path = fc.string({
      unit: fc.oneof(visible, fc.constantFrom("'", '"', '\\', '$', '`', ';', '/', '.')),
      maxLength: 40,
    })
    const body = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { noNullPrototype: true })
    await fc.assert(
      fc.asyncProperty(path, body, async (text, requestBody) => {
        const clean = `/api/v1/${text.replaceAll(/[#?]/g, '')}`
        await expectOnlyRequest(shell, sent({ method: 'PATCH', path: clean, requestBody }))
      }),
      { numRuns: RUNS_IN_SHELL },
    )
  })

  test('never leads to another host', async () => {
    for (const path of [
      '@127.0.0.2/',
      '.example.com/',
      ':1/',
      'http://example.com/',
      '//example.com/',
      '\\example.com',
    ])
      expect(toCurl(sent({ path }), baseUrl)).toContain(`'${baseUrl}/`)
  })

  test('contains only characters that can be seen', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(text, text, (path, value) => {
        const request = sent({ method: 'POST', path: `/api/v1/${path}`, requestBody: { [value]: value } })
        expect(toCurl(request, baseUrl).replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
        expect(toVisibleUrl(path)).toMatch(/^[\x21-\x7e]*$/)
      }),
    )
  })
})

describe('a copied request that creates something', () => {
  const create = sent({ method: 'POST', path: '/api/v1/operations', requestBody: { type: 'issue', amount: '10.00' } })

  test('has the key of the first request, so that it creates nothing again', async () => {
    const request = { ...create, idempotencyKey: 'order-4711' }
    expect(effectOf(request)).toBe('same')
    await expectOnlyRequest('bash', request)
    await expectOnlyRequest('bash', request)
  })

  test.each(SHELLS)('sends nothing in %s until a key is set, when the log does not have it', async (shell) => {
    expect(effectOf(create)).toBe('ask')
    const command = toCurl(create, baseUrl)
    await expect(run(shell, ['-s'], command)).rejects.toMatchObject({ stderr: expect.stringContaining('new key') })
    expect(arrivals).toEqual([])
    await run(shell, ['-s'], command, { IDEMPOTENCY_KEY: 'mine' })
    expect(arrivals).toMatchObject([{ key: 'mine' }])
  })

  test('with the SDK has the key of the first request, or stops until one is set', async () => {
    const runSdk = (request: Sent, more = {}) =>
      run('node', ['--input-type=module', '-'], toSdk(request, baseUrl) ?? '', more, import.meta.dirname)
    await expect(runSdk(create)).rejects.toMatchObject({ stderr: expect.stringContaining('IDEMPOTENCY_KEY') })
    expect(arrivals).toEqual([])
    await runSdk(create, { IDEMPOTENCY_KEY: 'mine' })
    await runSdk({ ...create, idempotencyKey: `a'"\\$b` })
    expect(arrivals.map(({ key }) => key)).toEqual(['mine', `a'"\\$b`])
  })
})

test('code for the SDK names the id that was sent, and its literals are data', () => {
  expect(toSdk(sent({ path: "/api/v1/cards/y');process.exit();('" }), baseUrl)).toContain(
    `cardstock.cards.get("y');process.exit();('")`,
  )
  expect(toSdk(sent({ path: '/api/v1/cards/%27%22%0a' }), baseUrl)).toContain(String.raw`cards.get("'\"\n")`)
  expect(toSdk(sent({ query: '?status=active&limit=5' }), baseUrl)).toContain('list({"status":"active","limit":"5"})')
  expect(toSdk(sent({ path: '/api/v1/cards/%' }), baseUrl)).toContain('cards.get("%")')
  // The SDK sends a parameter once.
  expect(toSdk(sent({ query: '?limit=5&limit=6' }), baseUrl)).toBeUndefined()
})

test('a value written as JavaScript is that value', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constant(JSON.parse('{"__proto__": {"a": ["{", "__proto__"]}}')))
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (each, indent) => {
      const read = runInNewContext(`JSON.stringify(${toJavaScript(each, indent)})`) as string
      expect(read).toBe(JSON.stringify(each))
    }),
  )
})

test.each(SHELLS)('a text written as a word of %s is that text', async (shell) => {
  const texts = fc.sample(fc.string({ unit: fc.oneof(fc.constantFrom("'", '\\', '\n', '$'), fc.string()) }), 200)
  const words = texts.map((text) => text.replaceAll('\0', ''))
  const { stdout } = await run(shell, ['-s'], `printf '%s\\0' ${words.map(toShellWord).join(' ')}`)
  expect(stdout.split('\0').slice(0, -1)).toEqual(words)
})

test('what must be filled in is named', () => {
  const requestBody = {
    name: '[redacted]',
    failure: { code: 'a', extra: '[redacted]' },
    reasons: ['[redacted]'],
    kind: 'x',
  }
  expect(
    listHidden(sent({ path: '/api/v1/cards/[redacted]', query: '?limit=5&q=[redacted]&[redacted]', requestBody })),
  ).toEqual([
    'a part of the path',
    'q in the query',
    'the query',
    'name in the body',
    'failure.extra in the body',
    'reasons.0 in the body',
  ])
  expect(listHidden(sent({ requestBody: { '[redacted]': '[redacted]' } }))).toEqual(['the body'])
  expect(listHidden(sent({ query: '?limit=5' }))).toEqual([])
})
