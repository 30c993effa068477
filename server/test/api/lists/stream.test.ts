// A list without paging is streamed completely, however long it is.
import { afterAll, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { openSocket } from '../kernel/raw.ts'
import { addManyHolders, type ListBody } from '../rows.ts'

const server = await TestServer.start()
afterAll(() => server.stop())

// These counts are around the number of rows that one statement of the stream reads.
it.each([0, 1, 99, 100, 101, 200, 5000])('a list of %i rows is returned completely and in order', async (count) => {
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

it('a long list is sent in pieces, and a client that disconnects does no harm', async () => {
  const { key, scope } = await server.createCompany()
  await addManyHolders(server, scope, 5000)
  const socket = openSocket(server.baseUrl)
  socket.write(`GET /api/v1/holders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  const head = String(await new Promise((resolve) => socket.once('data', resolve)))
  expect(head).toMatch(/^transfer-encoding: chunked\r$/im)
  expect(head).not.toMatch(/^content-length/im)
  socket.destroy()
  expect((await server.get('/api/v1/holders?limit=1', key)).status).toBe(200)
})
