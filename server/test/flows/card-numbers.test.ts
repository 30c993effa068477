// Card numbers are neither stored nor shown: every answer, log line, event and table is searched for 13 to 19 digits,
// contiguous or in groups, that pass the Luhn check.
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { expectBooksRight, fund, issueCard, operate, settled } from '../books/steps.ts'
import { listEveryRow } from '../support/every-row.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { until } from '../support/wait.ts'

/** Ids and hashes are hexadecimal words of a fixed length. They are not card numbers, whatever digits they contain. */
const HEX_WORDS =
  /(?<![0-9A-Za-z])(?:[a-z]{2,8}_|sandbox-)?(?:[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![0-9A-Za-z])/g
/** Digests and encrypted secrets, in PostgreSQL's notation for bytes in JSON. */
const BYTES = /\\\\x[0-9a-f]+/g
const TIMES = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:\d\d)?)/g
/** Digits with at most one space, hyphen or dot between them, which are not part of a longer run of digits. */
const DIGIT_RUN = /(?<![0-9])\d(?:[ .-]?\d){12,18}(?![ .-]?\d)/g

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

function findCardNumbers(text: string): string[] {
  const searched = text.replaceAll(BYTES, '§').replaceAll(HEX_WORDS, '§').replaceAll(TIMES, '§')
  return [...searched.matchAll(DIGIT_RUN)].map(([run]) => run).filter((run) => passesLuhn(run.replaceAll(/\D/g, '')))
}

let server: TestServer
let company: TestCompany
const logged: string[] = []
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    logged.push(chunk.toString())
    done()
  },
})
beforeAll(async () => {
  server = await TestServer.start({}, { log: createLog({ level: 'debug', destination: sink }) })
  company = await server.createCompany()
})
afterAll(() => server.stop())

test.each([
  '4242424242424242',
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  'pan=378282246310005,',
  'x6011000990139424x',
  '{"a":"5555555555554444"}',
  '4222222222222',
  '6304000000000000000',
])('the scanner finds %s', (text) => {
  expect(findCardNumbers(`before ${text} after`)).toHaveLength(1)
})

test.each([
  '4242424242424241',
  '424242424242',
  '42424242424242424242',
  'card_42424242424242424242424242424242',
  '2026-03-10T12:00:00.000Z',
  '42424242-4242-4242-8242-424242424242',
  '{"request_digest":"\\\\xab4242424242424242cd"}',
])('the scanner ignores %s', (text) => {
  expect(findCardNumbers(`before ${text} after`)).toEqual([])
})

test('no answer, log line, event or table contains a card number', async () => {
  const found: string[] = []
  const search = (where: string, text: string) =>
    found.push(...findCardNumbers(text).map((number) => `${where}: ${number}`))
  await fund(server, company, '5000')
  const card = await issueCard(server, company)
  const unsure = await issueCard(server, company, { name: 'change unknown' })
  await settled(server, company, await operate(server, company, { type: 'topup', cardId: card.id, amount: '25' }))
  await settled(
    server,
    company,
    await operate(server, company, {
      type: 'service',
      productId: 'prod_service_esim',
      amount: '10',
      recipient: 'unknown',
    }),
  )
  await server.post('/api/v1/sandbox/transactions', company.key, {
    cardId: card.id,
    type: 'purchase',
    amount: '5',
    merchant: 'Shop',
  })
  await server.post(`/api/v1/cards/${unsure.id}/freeze`, company.key)
  await server.post(`/api/v1/cards/${card.id}/close`, company.key)

  const paths = [
    'operations',
    'cards',
    'holders',
    'transactions',
    'balance',
    'products',
    'account-statements?from=2026-03-10&to=2026-03-10',
    'account-statements?from=2026-03-10&to=2026-03-10&format=csv',
    `cards/${card.id}`,
    'cards/4242424242424242',
  ]
  for (const path of paths) {
    const answer = await server.get(`/api/v1/${path}`, company.key)
    search(path, answer.text)
    search(`${path}, headers`, [...answer.headers].flat().join('\n'))
  }
  for (const path of ['reviews', 'companies', 'audit-log', 'ledger/audit'])
    search(path, (await server.get(`/admin/v1/${path}`, server.operatorToken)).text)

  // The request log is written after the answers.
  await until('the last request is in the log', async () => {
    const { text } = await server.get('/api/v1/request-logs', company.key)
    search('request-logs', text)
    return text.includes('/api/v1/cards/[redacted]')
  })

  const rows = await listEveryRow(server)
  expect(rows.map(({ table }) => table)).toEqual(
    expect.arrayContaining(['card', 'transaction', 'card_change', 'entry', 'audit_log']),
  )
  for (const { table, line } of rows) search(table, line)
  for (const line of logged) search('log', line)
  expect(logged.length).toBeGreaterThan(0)
  expect(found).toEqual([])
  await expectBooksRight(server)
})
