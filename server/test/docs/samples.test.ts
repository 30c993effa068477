// The code samples of the reference: the SDK's compile and make exactly the documented request, curl's and Python's send it, and
// these three work against a server. Those for PowerShell say the same request; they are read here, not run.
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Case, casesOf, urlOf } from '../../../docs-site/src/cases.ts'
import { type Call, type Document, listCalls } from '../../../docs-site/src/document.ts'
import { type Sample, samplesOf } from '../../../docs-site/src/samples.ts'
import { makeDocuments } from '../../src/app/documents.ts'
import { expectSoundLedger } from '../support/invoices.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { readCurl } from './read-curl.ts'
import { readPowerShell } from './read-powershell.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const isThere = (program: string) => spawnSync(program, ['--version']).status === 0
const hasCurl = isThere('curl')
const hasPython = isThere('python3')

interface Item {
  readonly call: Call
  readonly example: Case
  readonly samples: ReadonlyMap<Sample['id'], string>
}

let server: TestServer
let company: TestCompany
let items: Item[]
let folder: string
beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
  const documents = makeDocuments(server.app.routes) as unknown as Record<string, Document>
  const calls = [documents['company'], documents['operator']].flatMap((document) =>
    document === undefined ? [] : listCalls(document),
  )
  items = calls
    .filter(({ operation }) => operation.security.length > 0)
    .flatMap((call) =>
      casesOf(call).map((example) => {
        const samples = samplesOf(call, example, server.baseUrl).map(({ id, code }) => [id, code] as const)
        return { call, example, samples: new Map(samples) }
      }),
    )
  // Inside the project, so that the samples find the SDK as a project of a customer would.
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'docs-samples-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await expectSoundLedger(server)
  await server.stop()
})

const env = () => ({
  ...process.env,
  CARDSTOCK_API_KEY: company.key,
  CARDSTOCK_OPERATOR_TOKEN: server.operatorToken,
})
const sample = (item: Item, id: Sample['id']) => item.samples.get(id) ?? ''

it('every call that takes a key or the operator token has samples in curl, the SDK, Python and PowerShell', () => {
  expect(items.length).toBeGreaterThan(60)
  for (const { call, samples } of items)
    expect([...samples.keys()], call.path).toEqual(['curl', 'sdk', 'python', 'powershell'])
})

describe('the SDK', () => {
  it('every sample compiles with tsc --strict', async () => {
    for (const [index, item] of items.entries()) writeFileSync(join(folder, `${index}.mts`), sample(item, 'sdk'))
    const options = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom'],
      types: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.mts'] }))
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'lib', 'tsc.js')
    const result = await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => error)
    expect(result.stdout).toBe('')
  })

  it('every sample makes exactly the request that is documented', async () => {
    for (const [index, item] of items.entries()) writeFileSync(join(folder, `${index}.mjs`), sample(item, 'sdk'))
    // Answers every request, and prints it instead of sending it.
    const recorder = `
      const print = console.log
      console.log = () => {}
      for (let index = 0; index < ${items.length}; index += 1) {
        globalThis.fetch = async (url, { method, body, headers }) => {
          print(JSON.stringify({ url, method, body, key: new Headers(headers).get('idempotency-key') }))
          if (new Headers(headers).get('accept') === 'text/event-stream') {
            return new Response('', { headers: { 'content-type': 'text/event-stream' } })
          }
          return Response.json({ data: [], nextCursor: null })
        }
        await import('./' + index + '.mjs')
      }`
    writeFileSync(join(folder, 'recorder.mjs'), recorder)
    const { stdout } = await run(process.execPath, [join(folder, 'recorder.mjs')], { env: env() })
    const requests = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { [name: string]: string })
    expect(requests).toHaveLength(items.length)
    for (const [index, { call, example }] of items.entries()) {
      const { url = '', method, body, key } = requests[index] ?? {}
      const [path = '', query = ''] = url.slice(server.baseUrl.length).split('?')
      const [wantedPath = '', wantedQuery = ''] = urlOf(call, example).split('?')
      expect([method, path]).toEqual([call.method, wantedPath])
      // The SDK asks for pages where the server would send the whole list.
      const sent = Object.fromEntries(new URLSearchParams(query))
      if (!wantedQuery.includes('limit=')) delete sent['limit']
      expect(sent, path).toEqual(Object.fromEntries(new URLSearchParams(wantedQuery)))
      expect(body === undefined ? undefined : JSON.parse(body), path).toEqual(example.body)
      expect(key ?? undefined, path).toBe(example.parameters['Idempotency-Key'])
    }
  })
})

it('every curl sample makes exactly the request that is documented', () => {
  for (const item of items) {
    const { call, example } = item
    const { method, url, headers, body } = readCurl(sample(item, 'curl'), {
      CARDSTOCK_API_KEY: 'K',
      CARDSTOCK_OPERATOR_TOKEN: 'K',
    })
    expect([method, url]).toEqual([call.method, `${server.baseUrl}${urlOf(call, example)}`])
    expect(headers['authorization']).toBe('Bearer K')
    expect(headers['idempotency-key']).toBe(example.parameters['Idempotency-Key'])
    expect(body === undefined ? undefined : JSON.parse(body)).toEqual(example.body)
  }
})

it('every sample for PowerShell says exactly the request that is documented', () => {
  for (const item of items) {
    const { call, example } = item
    const { method, uri, headers, contentType, body } = readPowerShell(sample(item, 'powershell'))
    expect([method, uri]).toEqual([call.method, `${server.baseUrl}${urlOf(call, example)}`])
    expect(headers['Authorization']).toMatch(/^Bearer \$env:CARDSTOCK_(?:API_KEY|OPERATOR_TOKEN)$/)
    expect(headers['Idempotency-Key']).toBe(example.parameters['Idempotency-Key'])
    expect(body === undefined ? undefined : JSON.parse(body)).toEqual(example.body)
    expect(contentType).toBe(body === undefined ? undefined : 'application/json; charset=utf-8')
  }
})

describe('against a server', () => {
  const find = (id: string, name?: string): Item => {
    const found = items.find(
      ({ call, example }) => call.operation.operationId === id && (name === undefined || example.name === name),
    )
    if (found === undefined) throw new Error(`${id} has no example ${name}.`)
    return found
  }
  const READS = ['getBalance', 'listProducts', 'listOperations', 'listCards', 'listCompanies', 'listReviews']
  const runCurl = async (code: string): Promise<Record<string, unknown>> => {
    if (hasCurl)
      return JSON.parse((await run('sh', ['-c', `${code} -sS`], { env: env() })).stdout) as Record<string, unknown>
    const { url, ...request } = readCurl(code, env())
    return (await (await fetch(url, request as RequestInit)).json()) as Record<string, unknown>
  }
  const runPython = async (code: string) => (await run('python3', ['-c', code], { env: env() })).stdout
  const runSdk = async (code: string) => {
    const file = join(folder, 'one.mjs')
    writeFileSync(file, code)
    return (await run(process.execPath, [file], { env: env() })).stdout
  }

  it.each(READS)('%s can be read with curl and the SDK', async (id) => {
    expect(await runCurl(sample(find(id), 'curl'))).not.toHaveProperty('statusCode')
    expect(await runSdk(sample(find(id), 'sdk'))).not.toBe('')
  })

  it('curl adds a cardholder and funds the account; curl and the SDK issue one card with the same key', async () => {
    const holder = await runCurl(sample(find('createHolder'), 'curl'))
    expect(holder).toMatchObject({ name: 'Ada Lovelace', status: 'active' })
    expect(await runCurl(sample(find('creditSandboxFunds'), 'curl'))).toEqual({})
    const issue = find('createOperation', 'issue')
    const recorded = (issue.example.body as { holderId: string }).holderId
    const own = (id: Sample['id']) => sample(issue, id).replaceAll(recorded, String(holder['id']))
    const operation = await runCurl(own('curl'))
    expect(operation).toMatchObject({ type: 'issue', total: '28.05' })
    expect(await runSdk(own('sdk'))).toContain(String(operation['id']))
    if (hasPython) expect(await runPython(own('python'))).toContain(String(operation['id']))
  })

  it.runIf(hasPython)('every Python sample is valid, and reads and creates', async () => {
    const check = 'import ast, json, sys; [ast.parse(code) for code in json.load(sys.stdin)]'
    const input = JSON.stringify(items.map((item) => sample(item, 'python')))
    expect(spawnSync('python3', ['-c', check], { input, encoding: 'utf8' }).stderr).toBe('')
    for (const id of READS) expect(await runPython(sample(find(id), 'python'))).toMatch(/^\{/)
    expect(await runPython(sample(find('createInvoice'), 'python'))).toContain('payAmount')
    expect(await runPython(sample(find('createWebhookEndpoint'), 'python'))).toContain('whsec_')
  })
})
