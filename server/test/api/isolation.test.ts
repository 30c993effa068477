// Another company's object, another environment's object and a missing object are one and the same 404.
import { afterAll, describe, expect, it } from 'vitest'
import { TestServer } from '../support/harness.ts'
import { expectError } from './expect-error.ts'
import { addCard, addHolder, type ListBody } from './rows.ts'

const server = await TestServer.start()
const one = await server.createCompany()
const other = await server.createCompany()
const live = await server.createKey(one.id, { environment: 'live' })
const liveScope = { ...one.scope, environment: 'live' as const }
const holder = await addHolder(server, one.scope)
const card = await addCard(server, one.scope, { holderId: holder })
const liveHolder = await addHolder(server, liveScope)
afterAll(() => server.stop())

const missing = (id: string) => id.replaceAll(/[0-9a-f]{32}/g, 'f'.repeat(32))

describe.each([
  ['/api/v1/holders', holder],
  ['/api/v1/cards', card],
])('%s', (path, id) => {
  it('answers to its own company and environment', async () => {
    expect((await server.get(`${path}/${id}`, one.key)).body['id']).toBe(id)
  })

  it('gives the same bytes for what is not there and what is not yours', async () => {
    const answers = [
      await server.get(`${path}/${missing(id)}`, one.key),
      await server.get(`${path}/${id}`, other.key),
      await server.get(`${path}/${id}`, live),
      await server.get(`${path}/nonsense`, one.key),
    ]
    const texts = answers.map((answer) => answer.text.replace(expectError(answer, 'not_found').requestId, ''))
    expect(new Set(texts).size).toBe(1)
    const headers = answers.map((answer) =>
      [...answer.headers].filter(([name]) => !['x-request-id', 'date', 'ratelimit'].includes(name)),
    )
    expect(new Set(headers.map((list) => JSON.stringify(list))).size).toBe(1)
  })

  it('lists only its own', async () => {
    expect((await server.get<ListBody>(path, other.key)).body.data).toEqual([])
    expect((await server.get<ListBody>(path, live)).body.data.map((row) => row.id)).not.toContain(id)
  })
})

it('a filter by another company’s or environment’s holder gives nothing', async () => {
  expect((await server.get<ListBody>(`/api/v1/cards?holderId=${holder}`, one.key)).body.data).toHaveLength(1)
  expect((await server.get<ListBody>(`/api/v1/cards?holderId=${holder}`, other.key)).body.data).toEqual([])
  expect((await server.get<ListBody>(`/api/v1/cards?holderId=${holder}`, live)).body.data).toEqual([])
})

it('the database itself refuses a card whose holder is of the other environment', async () => {
  await expect(addCard(server, one.scope, { holderId: liveHolder })).rejects.toThrow(/foreign key/)
})
