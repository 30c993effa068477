// A server process with a company that has one of everything, the credentials to reach every call, and a fingerprint of all
// business tables. The process runs no jobs, so that nothing but a request can change the database.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import { VERIFIED_FOR_MS } from '../../../src/access/session.ts'
import { sign } from '../../../src/issuer/http/signature.ts'
import { newId } from '../../../src/lib/ids.ts'
import { readCredentials, type ServerProcess, startServer } from '../../chaos/server.ts'
import { toDatabaseUrl } from '../../support/database-url.ts'
import { createDatabase } from '../../support/harness.ts'
import { until } from '../../support/wait.ts'
import type { By } from './calls.ts'
import type { Known } from './values.ts'

const ISSUER_SECRET = 'a-secret-that-only-the-two-of-them-know'
const PASSWORD = 'a quiet horse walks home'
const MANY = '1000000'

/**
 * What a refused request may change: logs, times of last use, and the numbers whose change makes processes read a cache again,
 * which some statements raise before they look for the object.
 */
const OTHER_TABLES = [
  'request_log',
  'audit_log',
  'heartbeat',
  'access_version',
  'catalog_version',
  'issuer_minute',
  'server_minute',
]
const OTHER_COLUMNS = ['last_used_at', 'last_seen_at']

export interface World {
  readonly baseUrl: string
  /** Right values for the fields of bodies. */
  readonly known: Known
  /** A company that only the quiet client uses. */
  readonly quietKey: string
  /** Right values for the parameters of a path. */
  pathValue(path: string, name: string): string
  /** The headers that let a call pass, for this body. */
  headers(by: By, path: string, body: Buffer): [string, string][]
  /** Proves the second factor of the session again when that is due. */
  keepVerified(): Promise<void>
  fingerprint(): Promise<Map<string, string>>
  /** What the ledger's audit finds. */
  audit(): Promise<unknown[]>
  /** CPU seconds and resident bytes of the server process. */
  usage(): Promise<{ cpuSeconds: number; residentBytes: number }>
  stop(): Promise<void>
}

type Body = Record<string, string> & { key: string; url: string; data: { id: string }[] }

export async function startWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock bad input '))
  const database = await createDatabase()
  const server = await startServer(
    {
      DATA_DIR: folder,
      DATABASE_URL: toDatabaseUrl(database.connection),
      ISSUER_URL: 'http://127.0.0.1:9',
      // Nothing is delivered, because no jobs run.
      WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
      ISSUER_SECRET,
      RATE_LIMIT_PER_SECOND: MANY,
      RATE_LIMIT_BURST: MANY,
      STATEMENT_RATE_LIMIT_PER_SECOND: MANY,
      OPERATOR_RATE_LIMIT_PER_SECOND: MANY,
      FAILED_AUTHENTICATION_PER_MINUTE: MANY,
      FAILED_SIGN_INS_PER_ACCOUNT: MANY,
      FAILED_SIGN_INS_PER_ADDRESS: MANY,
    },
    ['--role', 'api'],
  )
  const db = new pg.Pool({ ...database.connection, max: 1 })
  const parts = await furnish(server, db, readCredentials(folder)).catch(async (error: unknown) => {
    await server.stop()
    throw error
  })
  return {
    ...parts,
    baseUrl: server.baseUrl,
    fingerprint: () => fingerprint(db),
    async audit() {
      const { differences } = await parts.ask('GET', '/admin/v1/ledger/audit', { token: parts.operatorToken })
      return differences as unknown as unknown[]
    },
    async usage() {
      // A busy machine may not get the connection in time.
      const text = await until('the metrics are read', () =>
        fetch(`${server.baseUrl}/metrics`).then(
          (answer) => answer.text(),
          () => undefined,
        ),
      )
      const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
      return { cpuSeconds: read('process_cpu_seconds_total'), residentBytes: read('process_resident_memory_bytes') }
    },
    async stop() {
      await server.stop()
      await db.end()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Makes one of everything over HTTP, and the card, which only the worker would make, in the database. */
async function furnish(server: ServerProcess, db: pg.Pool, credentials: ReturnType<typeof readCredentials>) {
  const { operatorToken, demo } = credentials
  let count = 0
  const ask = async (
    method: string,
    path: string,
    options: { token?: string; body?: unknown; headers?: Record<string, string> },
  ) => {
    count += 1
    const request = {
      method,
      headers: {
        'idempotency-key': `world-${count}`,
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    }
    // A busy machine may refuse it for a moment.
    const response = await until('the server is available', async () => {
      const answer = await fetch(server.baseUrl + path, request)
      return answer.status === 503 ? undefined : answer
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
    const cookie = /^[^;]*/.exec(response.headers.get('set-cookie') ?? '')?.[0] ?? ''
    return { ...(text === '' ? {} : (JSON.parse(text) as object)), cookie } as unknown as Body
  }
  const admin = (path: string, body: unknown) => ask('POST', `/admin/v1${path}`, { token: operatorToken, body })
  const own = (path: string, body: unknown) => ask('POST', `/api/v1${path}`, { token: demo.sandboxKey, body })

  const newCompany = async (name: string) => {
    const { id = '' } = await admin('/companies', { name, kind: 'corporate' })
    await admin(`/companies/${id}/verification`, { decision: 'approve' })
    const key = await admin(`/companies/${id}/keys`, { environment: 'sandbox', name: 'x', scopes: ['balance:read'] })
    return { id, keyId: key['id'] ?? '', key: key.key }
  }
  /** What requests of operators and owners may break, so that the rest keeps working. */
  const victim = await newCompany('Victim')
  const quiet = await newCompany('Quiet')
  const holder = await own('/holders', { name: 'Ada', email: 'ada@example.com', kind: 'individual' })
  const victimHolder = await admin(`/companies/${victim.id}/holders`, {
    environment: 'sandbox',
    name: 'Eve',
    email: 'e@e',
    kind: 'individual',
  })
  const ownKey = await admin(`/companies/${demo.companyId}/keys`, {
    environment: 'sandbox',
    name: 'x',
    scopes: ['cards:read'],
  })
  const cardUuid = newId(new Date())
  const { rows } = await db.query<{ company_id: string }>('select company_id from holder where id = $1', [
    toUuid(holder['id'] ?? ''),
  ])
  await db.query(
    `insert into card (company_id, environment, id, holder_id, product_id, name, last4, status, balance, created_at)
     values ($1, 'sandbox', $2, $3, 'prod_card_virtual', 'Card', '4242', 'active', 100000, now())`,
    [rows[0]?.company_id, cardUuid, toUuid(holder['id'] ?? '')],
  )
  const cardId = `card_${cardUuid.replaceAll('-', '')}`
  await own('/sandbox/funding', { amount: '1000000.00' })
  const operation = await own('/operations', { type: 'topup', cardId, amount: '25.00' })
  const transaction = await own('/sandbox/transactions', { cardId, type: 'purchase', amount: '1.00' })
  const endpoint = await own('/webhook-endpoints', { url: 'http://127.0.0.1:9999/' })
  const events = await ask('GET', '/api/v1/events', { token: demo.sandboxKey })
  const product = await admin('/products', {
    id: 'prod_victim',
    kind: 'service',
    name: 'Victim',
    description: 'x',
    pricing: { flatFee: '1.00', rate: '0' },
  }).catch(() => ({ id: 'prod_service_esim' }))

  const joinAs = async (role: string, email: string) => {
    const invitation = await admin('/invitations', { email, role, companyId: demo.companyId })
    const token = invitation.url.slice(invitation.url.indexOf('#') + 1)
    const headers = { 'x-csrf': '1', 'sec-fetch-site': 'same-origin' }
    const { cookie = '' } = await ask('POST', '/console/v1/links/use', {
      headers,
      body: { token, name: role, password: PASSWORD },
    })
    return cookie
  }
  const ownerCookie = await joinAs('owner', 'first@example.com')
  const asOwner = { 'x-csrf': '1', 'sec-fetch-site': 'same-origin', cookie: ownerCookie }
  const { secret = '' } = await ask('POST', '/console/v1/second-factor/totp', {
    headers: asOwner,
    body: { password: PASSWORD },
  })
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await ask('POST', '/console/v1/second-factor/totp/confirm', { headers: asOwner, body: { code: totp.generate() } })
  let verifiedAt = Date.now()
  /** Some calls need a second factor that was proved some minutes ago at most. */
  const keepVerified = async () => {
    if (Date.now() - verifiedAt < VERIFIED_FOR_MS / 2) return
    await ask('POST', '/console/v1/second-factor/verify', { headers: asOwner, body: { code: totp.generate() } })
    verifiedAt = Date.now()
  }
  /** Signed out by the first call that succeeds. */
  const spareCookie = await joinAs('viewer', 'viewer@example.com')
  /** Of a person whose name, password and second factor may change. */
  const ownCookie = await joinAs('developer', 'developer@example.com')
  const people = await ask('GET', `/admin/v1/people?companyId=${demo.companyId}`, { token: operatorToken })
  const viewer = (people.data as unknown as { id: string; email: string }[]).find(({ email }) =>
    email.startsWith('viewer'),
  )
  const invitation = await admin('/invitations', {
    email: 'third@example.com',
    role: 'viewer',
    companyId: demo.companyId,
  })

  const ids: Record<string, string> = {
    '/api/v1/operations/': operation['id'] ?? '',
    '/api/v1/transactions/': transaction['id'] ?? '',
    '/api/v1/sandbox/transactions/': transaction['id'] ?? '',
    '/api/v1/holders/': holder['id'] ?? '',
    '/api/v1/cards/': cardId,
    '/api/v1/webhook-endpoints/': endpoint['id'] ?? '',
    '/api/v1/events/': events.data[0]?.id ?? '',
    '/api/v1/keys/': ownKey['id'] ?? '',
    '/api/v1/people/': viewer?.id ?? '',
    '/api/v1/invitations/': invitation['id'] ?? '',
    '/admin/v1/companies/': victim.id,
    '/admin/v1/products/': product['id'] ?? '',
    '/admin/v1/people/': viewer?.id ?? '',
    '/admin/v1/invitations/': invitation['id'] ?? '',
    '/docs/': 'quickstart',
  }
  return {
    ask,
    keepVerified,
    operatorToken,
    quietKey: quiet.key,
    known: {
      holderId: holder['id'],
      cardId,
      productId: 'prod_card_virtual',
      companyId: demo.companyId,
      operationId: operation['id'],
      amount: '25.00',
      expectedTotal: '25.05',
      recipient: 'ada',
      url: 'http://127.0.0.1:9999/',
      'allowedCidrs[]': '203.0.113.0/24',
      token: 'cstk_invitation_x',
      email: 'ada@example.com',
      password: 'a wrong horse walks home',
      code: '123456',
      validFrom: '2030-01-01T00:00:00Z',
    },
    pathValue(path: string, name: string): string {
      if (name === 'keyId') return victim.keyId
      if (name === 'holderId') return victimHolder['id'] ?? ''
      const place = Object.keys(ids).find((start) => path.startsWith(start))
      return place === undefined ? 'inv_ffffffffffffffffffffffffffffffff' : (ids[place] ?? '')
    },
    headers(by: By, path: string, body: Buffer): [string, string][] {
      switch (by) {
        case 'key':
          return [['Authorization', `Bearer ${demo.sandboxKey}`]]
        case 'operator':
          return [['Authorization', `Bearer ${operatorToken}`]]
        case 'session':
        case 'visitor': {
          const endsSessions = path.includes('sign-out') || path.endsWith('/sessions')
          const isAboutSelf = path.startsWith('/console/')
          return [
            ['Cookie', endsSessions ? spareCookie : isAboutSelf ? ownCookie : ownerCookie],
            ['X-CSRF', '1'],
            ['Sec-Fetch-Site', 'same-origin'],
            ['Cardstock-Environment', 'sandbox'],
          ]
        }
        case 'issuer': {
          const message = { direction: 'event', method: 'POST', path, body: body.toString() } as const
          return [['Issuer-Signature', sign(ISSUER_SECRET, new Date(), message)]]
        }
        case 'anyone':
          return []
      }
    },
  }
}

const toUuid = (id: string) => id.slice(id.indexOf('_') + 1).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** Returns a digest of the rows of every business table. */
async function fingerprint(db: pg.Pool): Promise<Map<string, string>> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> all ($1)`,
    [OTHER_TABLES],
  )
  const digests = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await db.query<{ line: string }>(
      `select (to_jsonb(t) - $1::text[])::text as line from ${name} t`,
      [OTHER_COLUMNS],
    )
    const lines = rows.map(({ line }) => line).toSorted()
    digests.set(
      name,
      `${lines.length} rows, ${createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12)}`,
    )
  }
  return digests
}
