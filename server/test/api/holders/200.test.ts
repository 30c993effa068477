// GET /holders and GET /holders/{id}, with every filter.
import { afterAll, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { addHolder, type ListBody } from '../rows.ts'

const server = await TestServer.start()
const { key, scope } = await server.createCompany()
afterAll(() => server.stop())

const ada = await addHolder(server, scope, { name: 'Ada', email: 'ada@example.com', externalId: 'a-1' })
server.clock.advance(1)
const acme = await addHolder(server, scope, {
  name: 'Acme',
  email: 'acme@example.com',
  kind: 'corporate',
  status: 'pending',
})
server.clock.advance(1)
const bob = await addHolder(server, scope, {
  name: 'Bob',
  email: 'ada@example.com',
  status: 'blocked',
  externalId: 'B & C/ü',
})

const list = async (query = '') => (await server.get<ListBody>(`/api/v1/holders${query}`, key)).body

it('returns one holder, with externalId only if it was given', async () => {
  const expected = { id: ada, name: 'Ada', email: 'ada@example.com', kind: 'individual', status: 'active' }
  expect((await server.get(`/api/v1/holders/${ada}`, key)).body).toEqual({ ...expected, externalId: 'a-1' })
  expect((await server.get(`/api/v1/holders/${acme}`, key)).body).not.toHaveProperty('externalId')
})

it('answers the whole list as {data}, newest first, without other fields', async () => {
  const body = await list()
  expect(Object.keys(body)).toEqual(['data'])
  expect(body.data.map(({ id }) => id)).toEqual([bob, acme, ada])
})

it.each([
  ['?status=active', [ada]],
  ['?status=inactive', []],
  ['?kind=corporate', [acme]],
  ['?kind=individual', [bob, ada]],
  ['?externalId=a-1', [ada]],
  [`?externalId=${encodeURIComponent('B & C/ü')}`, [bob]],
  ['?externalId=A-1', []],
  ['?email=ada%40example.com', [bob, ada]],
  ['?email=%25', []],
  ["?email=' or 1=1 --", []],
  ['?email=ada%40example.com&status=blocked&kind=individual', [bob]],
])('%s returns the matching items', async (query, expected) => {
  expect((await list(query)).data.map(({ id }) => id)).toEqual(expected)
  expect((await list(`${query}&limit=1`)).data.map(({ id }) => id)).toEqual(expected.slice(0, 1))
})
