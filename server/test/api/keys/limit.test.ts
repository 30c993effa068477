// How many keys of a company work at a time: requests are limited by key, so without a limit a company could send as many as it likes.
import { afterAll, expect, it } from 'vitest'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const KEYS_MAX = 100
const server = await TestServer.start({ OPERATOR_RATE_LIMIT_PER_SECOND: '100000' })
afterAll(() => server.stop())

const keysOf = ({ wireId }: TestCompany) => `/admin/v1/companies/${wireId}/keys`
const create = (company: TestCompany, environment = 'live', fields: object = {}) =>
  server.post<{ id: string }>(keysOf(company), server.operatorToken, {
    environment,
    name: 'Deploy',
    scopes: ['holders:read'],
    ...fields,
  })
const rotate = (company: TestCompany, id: string, overlapSeconds: number) =>
  server.post<{ id: string }>(`${keysOf(company)}/${id}/rotate`, server.operatorToken, { overlapSeconds })
const createMany = (company: TestCompany, count: number) =>
  Promise.all(Array.from({ length: count }, () => create(company)))
const idsOf = (answers: Awaited<ReturnType<typeof createMany>>) =>
  answers.filter(({ status }) => status === 201).map(({ body }) => body.id)

it('at most 100 keys of a company work in an environment, also if they are made at the same moment', async () => {
  const company = await server.createCompany()
  const expiresAt = new Date(server.clock.now().getTime() + 60_000).toISOString()
  const brief = await create(company, 'live', { expiresAt })
  const answers = await createMany(company, KEYS_MAX + 5)
  const made = idsOf(answers)
  expect(made).toHaveLength(KEYS_MAX - 1)
  for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 'api_key_limit')
  expect((await create(company, 'sandbox')).status).toBe(201)
  expect((await create(await server.createCompany())).status).toBe(201)
  await server.request('DELETE', `${keysOf(company)}/${made[0]}`, { token: server.operatorToken })
  expect((await create(company)).status).toBe(201)
  expectError(await create(company), 'api_key_limit')
  // One that has expired makes room, too.
  expect(brief.status).toBe(201)
  server.clock.advance(60_000)
  expect((await create(company)).status).toBe(201)
})

it('keys can be rotated at the limit, but not again and again beside all that still work', async () => {
  const company = await server.createCompany()
  const ids = idsOf(await createMany(company, KEYS_MAX))
  const successors = idsOf(await Promise.all(ids.map((id) => rotate(company, id, 3_600))))
  expect(successors).toHaveLength(KEYS_MAX)
  const [first = '', second = ''] = successors
  const refused = await rotate(company, first, 3_600)
  expectError(refused, 'api_key_limit')
  expect(refused.body).toMatchObject({ details: { limit: 2 * KEYS_MAX } })
  expect((await rotate(company, first, 0)).status).toBe(201)
  server.clock.advance(3_600_000)
  expect((await rotate(company, second, 3_600)).status).toBe(201)
})
