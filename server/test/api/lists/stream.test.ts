// The specified list without paging: all of it, however long, streamed.
import { afterAll, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { addManyHolders, type ListBody } from '../rows.ts'

const server = await TestServer.start()
afterAll(() => server.stop())

// Around the number of rows that one statement of the stream reads.
it.each([0, 1, 999, 1000, 1001, 2000, 5000])('a list of %i rows is answered whole, in order', async (count) => {
  const { key, scope } = await server.createCompany()
  await addManyHolders(server, scope, count)
  const { status, body, headers } = await server.get<ListBody>('/api/v1/holders', key)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(Object.keys(body)).toEqual(['data'])
  expect(body.data.map(({ name }) => name)).toEqual(
    Array.from({ length: count }, (_, index) => `Holder ${count - index}`),
  )
})

it('a long list is sent in pieces, not as one', async () => {
  const { key, scope } = await server.createCompany()
  await addManyHolders(server, scope, 5000)
  const response = await fetch(`${server.baseUrl}/api/v1/holders`, { headers: { authorization: `Bearer ${key}` } })
  expect(response.headers.get('content-length')).toBeNull()
  expect(response.headers.get('transfer-encoding')).toBe('chunked')
  await response.body?.cancel()
  // A reader who goes away harms nobody.
  expect((await server.get('/api/v1/holders?limit=1', key)).status).toBe(200)
})
