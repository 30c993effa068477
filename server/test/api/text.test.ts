// Text that people read: no field of any body accepts characters that hide, break or reorder text. The fields are taken
// from the routes, so that a new field is tested automatically.
import { afterAll, describe, expect, test } from 'vitest'
import type { Route } from '../../src/http/route.ts'
import { TestServer } from '../support/harness.ts'
import { expectError } from './expect-error.ts'
import { addHolder } from './rows.ts'

const server = await TestServer.start({ OPERATOR_RATE_LIMIT_PER_SECOND: '100000' })
afterAll(() => server.stop())
const company = await server.createCompany()

const FORBIDDEN = [
  ['NUL', '\u0000'],
  ['escape', '\u001B'],
  ['line feed', '\n'],
  ['delete', '\u007F'],
  ['a C1 control', '\u009B'],
  ['left-to-right mark', '\u200E'],
  ['right-to-left mark', '\u200F'],
  ['line separator', '\u2028'],
  ['paragraph separator', '\u2029'],
  ['right-to-left override', '\u202E'],
  ['left-to-right embedding', '\u202A'],
  ['first isolate', '\u2066'],
  ['pop isolate', '\u2069'],
] as const

interface Schema {
  type?: unknown
  enum?: unknown
  const?: unknown
  format?: string
  pattern?: string
  items?: Schema
  properties?: Record<string, Schema>
  oneOf?: Schema[]
  anyOf?: Schema[]
}

/** These fields are looked up or parsed, and never stored or shown as they were sent. */
const NOT_TEXT = /(^|\.)(\w+Id|allowedCidrs\[\]|since|token|code|password|currentPassword|newPassword)$/

function stringsIn(schema: Schema, path: string): [string, Schema][] {
  const inner = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => stringsIn(child, `${path}.${name}`)),
    ...(schema.items === undefined ? [] : stringsIn(schema.items, `${path}[]`)),
    ...[...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((child) => stringsIn(child, path)),
  ]
  const isString = schema.type === 'string' || (Array.isArray(schema.type) && schema.type.includes('string'))
  const isFree = isString && schema.enum === undefined && schema.const === undefined && schema.format !== 'date-time'
  return isFree ? [[path, schema], ...inner] : inner
}

const fieldsOf = (route: Route) =>
  stringsIn((route.body ?? {}) as Schema, `${route.method} ${route.path}`).filter(([path]) => !NOT_TEXT.test(path))
const fields = server.app.routes.filter(({ access }) => access.by !== 'anyone').flatMap(fieldsOf)

test('the routes have text fields', () => {
  const paths = fields.map(([path]) => path)
  expect(paths).toContain('POST /api/v1/operations.recipient')
  expect(paths).toContain('POST /admin/v1/companies.name')
  expect(paths.length).toBeGreaterThan(25)
})

test.each(fields)('%s accepts no unprintable character', (_path, { pattern = '' }) => {
  const regex = new RegExp(pattern, 'u')
  for (const [name, character] of FORBIDDEN) {
    for (const text of [character, `a${character}b`, `a${character}`]) expect(regex.test(text), name).toBe(false)
  }
})

describe('over HTTP', () => {
  const holder = { name: 'Ada', email: 'ada@example.com', kind: 'individual' }
  test.each(FORBIDDEN)('%s is refused with 400, and the message names the field', async (_name, character) => {
    const bad = `Ada${character}`
    const post = (path: string, body: object) => server.post(path, company.key, body)
    const service = { type: 'service', productId: 'prod_service_esim', amount: '10' }
    const refusals = [
      [await post('/api/v1/holders', { ...holder, name: bad }), 'body.name'],
      [await post('/api/v1/holders', { ...holder, email: `a${character}@example.com` }), 'body.email'],
      [await post('/api/v1/holders', { ...holder, externalId: bad }), 'body.externalId'],
      [await post('/api/v1/operations', { ...service, recipient: bad }), 'body.recipient'],
      [await post('/api/v1/webhook-endpoints', { url: 'https://example.com', description: bad }), 'body.description'],
      [await server.post('/admin/v1/companies', server.operatorToken, { name: bad, kind: 'corporate' }), 'body.name'],
    ] as const
    for (const [answer, field] of refusals) {
      const { message } = expectError(answer, 'validation_failed')
      // NUL is refused in the whole body, before any field is looked at.
      if (character !== '\u0000') expect(message).toContain(field)
    }
  })

  test('names in all scripts, emoji and quotes are accepted unchanged', async () => {
    for (const name of ['Zoë O’Brien', '山田 太郎', 'محمد', 'שרה', 'Ivan 😀', ' Ada "x" ']) {
      const answer = await server.post('/api/v1/holders', company.key, { ...holder, name })
      expect([answer.status, answer.body['name']]).toEqual([201, name])
    }
  })

  test('text that was stored before stays readable', async () => {
    const id = await addHolder(server, company.scope)
    await server.db.run({
      name: undefined,
      text: `update holder set name = $1 where company_id = $2 and id = replace($3, 'hld_', '')::uuid`,
      values: ['Ada\u202E\u0007', company.id, id],
    })
    expect((await server.get(`/api/v1/holders/${id}`, company.key)).body).toMatchObject({ name: 'Ada\u202E\u0007' })
  })
})
