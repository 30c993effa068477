// Secrets are shown once, when they are made, and found nowhere else: in no other answer, log line, event, metric or table, in
// plain text, hexadecimal or Base64. Each is used where it belongs, and also sent where it does not belong.
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { createLog } from '../../../src/lib/log.ts'
import { expectBooksRight, fund, issueCard } from '../../books/steps.ts'
import { addTotp, Browser, codeOf, invite, join, PASSWORD } from '../../api/people/people.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'

const ISSUER_SECRET = 'an-issuer-secret-that-nobody-may-read'
const METRICS_TOKEN = 'a-metrics-token-that-nobody-may-read'
/** A number of a test card, which passes the Luhn check. */
const CARD_NUMBER = '4000056655665556'

const logged: string[] = []
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    logged.push(chunk.toString())
    done()
  },
})

/** The secrets by what they are. */
const secrets = new Map<string, string>()
/** Every answer, with the call that got it. */
const answers: { readonly call: string; readonly text: string }[] = []
let server: TestServer
let company: TestCompany

beforeAll(async () => {
  const settings = {
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
    ISSUER_URL: 'http://127.0.0.1:9',
    ISSUER_SECRET,
    METRICS_TOKEN,
    OPERATOR_RATE_LIMIT_PER_SECOND: '100000',
  }
  server = await TestServer.start(settings, { log: createLog({ level: 'debug', destination: sink }) })
  recordAnswers()
  company = await server.createCompany()
})
afterAll(() => server.stop())

/** Keeps the answers of every request that is sent from now on. */
function recordAnswers(): void {
  const send = server.request.bind(server)
  server.request = async <Body>(...parts: Parameters<typeof send>) => {
    const answer = await send<Body>(...parts)
    const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`)
    answers.push({ call: `${parts[0]} ${parts[1]}`, text: [...headers, answer.text].join('\n') })
    return answer
  }
}

/** The forms in which a secret could be kept or sent. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  // Without the last characters, which depend on what follows.
  const base64 = bytes.toString('base64').replace(/=+$/, '').slice(0, -1)
  const forms = [secret, bytes.toString('hex'), base64, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
  const inner = /^whsec_(.*)$/.exec(secret)?.[1]
  if (inner !== undefined) forms.push(inner, Buffer.from(inner, 'base64').toString('hex'))
  return [...new Set(forms)]
}

function findIn(text: string): string[] {
  const lower = text.toLowerCase()
  return [...secrets].flatMap(([name, secret]) =>
    formsOf(secret).some((form) => text.includes(form) || (/^[0-9a-f]+$/.test(form) && lower.includes(form)))
      ? [name]
      : [],
  )
}

/** The only calls that show a secret, with what they may show. */
const SHOWN: readonly (readonly [RegExp, RegExp])[] = [
  [/^POST \/admin\/v1\/companies\/\w+\/keys(?:\/\w+\/rotate)?$/, /^key/],
  [/^POST \/api\/v1\/keys$/, /^key/],
  [/^POST \/admin\/v1\/operator-tokens$/, /^operator token made/],
  [/^POST \/api\/v1\/webhook-endpoints(?:\/\w+\/rotate-secret)?$/, /^webhook secret/],
  [/^POST \/admin\/v1\/invitations$/, /^invitation/],
  [/^POST \/admin\/v1\/people\/\w+\/reset$/, /^reset link/],
  [/^POST \/console\/v1\/(?:links\/use|sign-in)$/, /^session/],
  [/^POST \/console\/v1\/second-factor\/totp$/, /^TOTP secret/],
  [/^POST \/console\/v1\/second-factor\/totp\/confirm$/, /^recovery code/],
]

function keep(name: string, secret: string | undefined): void {
  if (secret === undefined || secret.length < 10) throw new Error(`There is no ${name}.`)
  secrets.set(name, secret)
}

async function makeSecrets(): Promise<Browser> {
  const admin = { token: server.operatorToken }
  keep('operator token', server.operatorToken)
  keep('issuer secret', ISSUER_SECRET)
  keep('metrics token', METRICS_TOKEN)
  keep('card number', CARD_NUMBER)
  keep('password', PASSWORD)
  keep('key', company.key)
  const keys = `/admin/v1/companies/${company.wireId}/keys`
  const body = { environment: 'sandbox', name: 'x', scopes: ['cards:read'] }
  const key = await server.request<{ id: string; key: string }>('POST', keys, { ...admin, body })
  const rotated = await server.request<{ key: string }>('POST', `${keys}/${key.body.id}/rotate`, { ...admin, body: {} })
  const token = await server.request<{ token: string }>('POST', '/admin/v1/operator-tokens', {
    ...admin,
    body: { name: 'x' },
  })
  keep('key made', key.body.key)
  keep('key rotated', rotated.body.key)
  keep('operator token made', token.body.token)
  const endpoint = await server.post<{ id: string; secret: string }>('/api/v1/webhook-endpoints', company.key, {
    url: 'http://127.0.0.1:9999/',
  })
  const path = `/api/v1/webhook-endpoints/${endpoint.body.id}/rotate-secret`
  const next = await server.post<{ secret: string }>(path, company.key, {})
  keep('webhook secret', endpoint.body.secret)
  keep('webhook secret rotated', next.body.secret)

  const owner = await join(server, 'owner', company)
  keep('session', owner.cookie.slice(owner.cookie.indexOf('=') + 1))
  const invitation = await invite(server, 'viewer', { company })
  keep('invitation', invitation.token)
  const { secret, recoveryCodes } = await addTotp(owner)
  keep('TOTP secret', secret)
  recoveryCodes.forEach((code, index) => keep(`recovery code ${index}`, code))
  server.clock.advance(60_000)
  await new Browser(server).signIn(owner.email, PASSWORD, { code: codeOf(secret, server) })
  await new Browser(server).signIn(owner.email, PASSWORD, { code: recoveryCodes[0] })
  const people = await server.get<{ data: { id: string; email: string }[] }>(
    `/admin/v1/people?companyId=${company.wireId}`,
    server.operatorToken,
  )
  const person = people.body.data.find(({ email }) => email === owner.email)
  const reset = await server.request<{ url: string }>('POST', `/admin/v1/people/${person?.id}/reset`, {
    ...admin,
    body: {},
  })
  keep('reset link', reset.body.url.slice(reset.body.url.indexOf('#') + 1))
  return owner
}

/** Tokens and card numbers, which the request log recognises wherever they are sent. */
const isRecognisable = (secret: string) => /^(?:cstk|whsec)_|^\d+$/.test(secret)

/** Sends each secret where it does not belong. */
async function misplaceSecrets(owner: Browser): Promise<void> {
  for (const secret of secrets.values()) {
    if (isRecognisable(secret)) await misplaceInCompany(secret)
    const token = company.key
    await server.post('/api/v1/holders', token, { name: 'x', email: 'a@b', kind: 'x', password: secret })
    await server.post('/api/v1/holders', token, `{"name": "${secret}"`)
    await server.post('/api/v1/webhook-endpoints', token, { url: `ftp://${secret}/` })
    await server.request('GET', '/api/v1/balance', { headers: { authorization: `Bearer ${secret}` } })
    await server.request('GET', '/api/v1/balance', { headers: { authorization: `Basic ${btoa(secret)}` } })
    await server.request('GET', '/admin/v1/companies', { headers: { authorization: `Bearer ${secret}` } })
    await server.request('POST', '/issuer/v1/events', { body: { secret }, headers: { 'issuer-signature': secret } })
    await server.request('GET', `/pay/${encodeURIComponent(secret)}`)
    await owner.send('GET', '/console/v1/me', {
      headers: { cookie: `cardstock_session=${encodeURIComponent(secret)}` },
    })
    await owner.post('/console/v1/links/read', { token: secret })
    await new Browser(server).signIn('nobody@example.com', secret)
    await owner.post('/console/v1/second-factor/verify', { code: secret.slice(0, 40) })
  }
}

/** In the path, the query, and fields that the request log shows. */
async function misplaceInCompany(secret: string): Promise<void> {
  const token = company.key
  const text = encodeURIComponent(secret)
  await server.get(`/api/v1/cards/${text}`, token)
  await server.get(`/api/v1/operations?idempotencyKey=${text}&cardId=${text}`, token)
  await server.get(`/api/v1/holders?cursor=${text}`, token)
  await server.get(`/api/v1/nothing/${text}?x=${text}`, token)
  await server.post('/api/v1/operations', token, { type: 'topup', cardId: secret, amount: secret })
  await server.post('/api/v1/operations', token, { type: secret, amount: '10.00' })
  await server.post('/api/v1/webhook-endpoints', token, { url: 'http://127.0.0.1:9999/', events: [secret] })
}

it('no secret is found anywhere but in the answer that shows it', async () => {
  const owner = await makeSecrets()
  await fund(server, company, '5000')
  await issueCard(server, company)
  const made = answers.length
  await misplaceSecrets(owner)
  const found: string[] = []

  for (const { call, text } of answers.slice(0, made)) {
    const allowed = SHOWN.filter(([pattern]) => pattern.test(call)).map(([, names]) => names)
    for (const name of findIn(text)) if (!allowed.some((names) => names.test(name))) found.push(`${call}: ${name}`)
  }
  for (const { call, text } of answers.slice(made)) for (const name of findIn(text)) found.push(`${call}: ${name}`)
  const reads = ['api/v1/request-logs?limit=100', 'api/v1/events', 'api/v1/webhook-endpoints', 'api/v1/holders']
  for (const path of reads)
    for (const name of findIn((await server.get(`/${path}`, company.key)).text)) found.push(`${path}: ${name}`)
  for (const path of [
    'audit-log',
    'operator-tokens',
    'people',
    'invitations',
    'companies',
    `companies/${company.wireId}/keys`,
  ]) {
    const answer = await server.get(`/admin/v1/${path}?limit=100`, server.operatorToken)
    for (const name of findIn(answer.text)) found.push(`${path}: ${name}`)
  }
  for (const name of findIn((await server.request('GET', '/metrics', { token: METRICS_TOKEN })).text))
    found.push(`metrics: ${name}`)
  for (const line of logged) for (const name of findIn(line)) found.push(`log: ${name}: ${line.slice(0, 300)}`)
  found.push(...(await searchTables()))
  expect([...new Set(found)]).toEqual([])
  await expectBooksRight(server)
})

async function searchTables(): Promise<string[]> {
  await server.app.requestLog?.flush()
  const tables = await server.db.many<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  )
  expect(tables.length).toBeGreaterThan(30)
  const found: string[] = []
  for (const { name } of tables) {
    // Bytes are shown in hexadecimal.
    const text = `select to_jsonb(t)::text as line from ${name} t`
    for (const { line } of await server.db.many<{ line: string }>({ name: undefined, text, values: [] }))
      found.push(...findIn(line).map((secret) => `table ${name}: ${secret}: ${line.slice(0, 300)}`))
  }
  return found
}

it('the search finds a secret in every form', () => {
  secrets.set('example', 'cstk_sandbox_example')
  for (const form of formsOf('cstk_sandbox_example')) expect(findIn(`before ${form} after`), form).toContain('example')
  expect(findIn(Buffer.from('cstk_sandbox_example').toString('hex').toUpperCase())).toContain('example')
  secrets.delete('example')
})
