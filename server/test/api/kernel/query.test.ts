// Query strings: an undocumented parameter is refused by name, never ignored.
import { afterAll, describe, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const server = await TestServer.start()
const company = await server.createCompany()
afterAll(() => server.stop())

const get = (path: string) => server.get(path, company.key)
const withQuery = server.app.routes.filter(
  (route) => route.method === 'GET' && ['company', 'operator'].includes(route.access.by) && route.query !== undefined,
)

describe.each(withQuery.map((route) => [route.path, route] as const))('GET %s', (path, route) => {
  const token = route.access.by === 'operator' ? server.operatorToken : company.key
  const url = path.replaceAll(/:\w+/g, company.wireId)

  it('refuses an unknown parameter and names it', async () => {
    const { message } = expectError(await server.get(`${url}?colour=red`, token), 'validation_failed')
    expect(message).toContain('query.colour is not a known field here')
  })

  it.each(['__proto__', 'constructor', 'hasOwnProperty'])('refuses %s', async (name) => {
    expect(expectError(await server.get(`${url}?${name}=1`, token), 'validation_failed').message).toContain(name)
  })

  const { properties = {}, required = [] } = route.query as {
    properties?: Record<string, { enum?: string[]; type?: string }>
    required?: string[]
  }
  it.each(Object.keys(properties))('refuses %s when it is given twice', async (name) => {
    const value = properties[name]?.enum?.[0] ?? '1'
    const answer = await server.get(`${url}?${name}=${value}&${name}=${value}`, token)
    expect(expectError(answer, 'validation_failed').message).toContain(`query.${name}`)
  })

  const integers = Object.keys(properties).filter((name) => properties[name]?.type === 'integer')
  it.each(integers)('accepts only plain digits for %s', async (name) => {
    for (const text of ['1e1', '0x0a', '0b1', '10.0', '%2B10', '%2010', '10%20', '1_0', '%D9%A1', '-0', 'Infinity']) {
      const { message } = expectError(await server.get(`${url}?${name}=${text}`, token), 'validation_failed')
      expect(message, text).toContain(`query.${name} must be`)
    }
  })

  const enumerated = Object.entries(properties).filter(([, schema]) => schema.enum !== undefined)
  it.each(enumerated.map(([name]) => name))('refuses an unknown value of %s and lists the known ones', async (name) => {
    const { message } = expectError(await server.get(`${url}?${name}=purple`, token), 'validation_failed')
    const missing = required.filter((other) => other !== name).map((other) => `query.${other} is required`)
    const wrong = `query.${name} must be one of ${properties[name]?.enum?.join(', ')}`
    expect(message).toBe(`${[...missing, wrong].join('; ')}.`)
  })
})

it('some route has an integer in its query, or the test above would test nothing', () => {
  const integers = withQuery.filter((route) => JSON.stringify(route.query).includes('"type":"integer"'))
  expect(integers.length).toBeGreaterThan(3)
})

describe('limit', () => {
  it.each(['0', '101', '-1', 'abc', '1.5', '', '%20', '99999999999999999999', 'null', 'true'])(
    '%s is refused, never clamped',
    async (limit) => {
      const { message } = expectError(await get(`/api/v1/cards?limit=${limit}`), 'validation_failed')
      expect(message).toBe('query.limit must be a whole number from 1 to 100.')
    },
  )

  it.each(['1', '100'])('%s is accepted', async (limit) => {
    expect((await get(`/api/v1/cards?limit=${limit}`)).body).toEqual({ data: [], nextCursor: null })
  })
})

it('an empty query string counts as no query', async () => {
  expect((await get('/api/v1/cards?')).body).toEqual({ data: [] })
})
