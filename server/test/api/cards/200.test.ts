// GET /cards and GET /cards/{id}: masked cards, newest first, with every filter.
import { afterAll, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { addCard, addHolder, type ListBody } from '../rows.ts'

const server = await TestServer.start()
const { key, scope } = await server.createCompany()
afterAll(() => server.stop())

const ada = await addHolder(server, scope)
const grace = await addHolder(server, scope)
const first = await addCard(server, scope, { holderId: ada, name: 'First', balance: 123_456n })
server.clock.advance(1)
const second = await addCard(server, scope, {
  holderId: ada,
  productId: 'prod_card_advertising',
  status: 'frozen',
  name: 'Second',
})
server.clock.advance(1)
const third = await addCard(server, scope, { holderId: grace, status: 'closed', name: 'Third' })

const list = async (query = '') => (await server.get<ListBody>(`/api/v1/cards${query}`, key)).body

it('returns one masked card with its balance as a decimal string', async () => {
  const answer = await server.get(`/api/v1/cards/${first}`, key)
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    holder: { id: expect.stringMatching(/^hld_/), name: expect.any(String) },
    id: first,
    name: 'First',
    holderId: ada,
    last4: '4242',
    status: 'active',
    balance: '1234.56',
    productId: 'prod_card_virtual',
    createdAt: '2026-03-10T12:00:00.000Z',
  })
})

it('answers the whole list as {data}, newest first, without other fields', async () => {
  const body = await list()
  expect(Object.keys(body)).toEqual(['data'])
  expect(body.data.map(({ id }) => id)).toEqual([third, second, first])
})

it.each([
  ['?status=active', [first]],
  ['?status=frozen', [second]],
  ['?status=expired', []],
  [`?holderId=${ada}`, [second, first]],
  [`?holderId=${grace}`, [third]],
  ['?holderId=hld_ffffffffffffffffffffffffffffffff', []],
  ['?holderId=nonsense', []],
  ['?productId=prod_card_advertising', [second]],
  ['?productId=prod_none', []],
  [`?holderId=${ada}&status=active&productId=prod_card_virtual`, [first]],
  [`?holderId=${grace}&status=active`, []],
])('%s returns the matching items', async (query, expected) => {
  expect((await list(query)).data.map(({ id }) => id)).toEqual(expected)
  const paged = await list(`${query}&limit=10`)
  expect(paged).toEqual({ ...(await list(query)), nextCursor: null })
})

it('the database refuses a card status that is not listed', async () => {
  await expect(addCard(server, scope, { status: 'lost' })).rejects.toThrow(/card_status_check/)
})
