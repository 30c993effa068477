// Parsing Lithic's answers: what is missing or has another type is not understood, and times without a zone are in UTC.
import { expect, test, vi } from 'vitest'
import { pageOf } from '../../provider-kit/parse.ts'
import { parseAvailable, parseCard, parseHolder, parseTimeMs } from './answers.ts'
import { tokenOf } from './kit.ts'

const CARD = {
  token: '7ef7d65c-9023-4da3-b113-3b8583fd7951',
  account_token: 'f3f4918c-dee9-464d-a819-4aa42901d624',
  state: 'OPEN',
  last_four: '4142',
  spend_limit: 1000,
  spend_limit_duration: 'FOREVER',
  pan: '4111111289144142',
  cvv: '776',
}

test('a card is picked without its number', () => {
  expect(parseCard(CARD)).toEqual({
    token: CARD.token,
    accountToken: CARD.account_token,
    memo: '',
    state: 'OPEN',
    substatus: null,
    last4: '4142',
    limit: 1000n,
    limitDuration: 'FOREVER',
  })
})

test.each([
  ['state', 'LOST'],
  ['last_four', '41424'],
  ['spend_limit', '1000'],
  ['spend_limit', 10.5],
  ['token', undefined],
])('a card whose %s is %j is not understood', (name, value) => {
  expect(parseCard({ ...CARD, [name]: value })).toBeUndefined()
})

test('one item that is not understood makes the page not understood', () => {
  const parse = pageOf(parseCard)
  expect(parse({ data: [CARD], has_more: false })?.items).toHaveLength(1)
  expect(parse({ data: [CARD, {}], has_more: false })).toBeUndefined()
  expect(parse({ data: [CARD] })).toBeUndefined()
})

test('no balance, or two of them, is not a balance of zero', () => {
  const usd = { available_amount: 5, currency: 'USD' }
  expect(parseAvailable({ data: [usd] })).toBe(5n)
  expect(parseAvailable({ data: [] })).toBeUndefined()
  expect(parseAvailable({ data: [{ ...usd, currency: 'CAD' }] })).toBeUndefined()
  expect(parseAvailable({ data: [usd, usd] })).toBeUndefined()
})

test('the newest verification of a holder counts, and an exempt one without any is accepted', () => {
  const holder = { token: CARD.token, account_token: CARD.account_token }
  expect(parseHolder({ ...holder, status: 'ACCEPTED', verification_application: { status: 'REJECTED' } })?.status).toBe(
    'REJECTED',
  )
  expect(parseHolder({ ...holder, exemption_type: 'PREPAID_CARD_USER' })?.status).toBe('ACCEPTED')
  expect(parseHolder(holder)?.status).toBe('not stated')
})

test.each([
  ['2024-01-11T19:50:36.105448', '2024-01-11T19:50:36.105Z'],
  ['2024-01-11T19:50:36Z', '2024-01-11T19:50:36.000Z'],
  ['2024-01-11T19:50:36+02:00', '2024-01-11T17:50:36.000Z'],
])('the time %s is %s, wherever the adapter runs', (text, time) => {
  vi.stubEnv('TZ', 'America/New_York')
  expect(new Date(parseTimeMs(text)).toISOString()).toBe(time)
  vi.unstubAllEnvs()
})

test('the token of a transfer follows from the request and the step, and is a UUID', () => {
  const [one, two] = ['019cd79e-4600-7000-a1b2-c3d4e5f60718', '019cd79e-4600-7000-a1b2-c3d4e5f60719']
  expect(tokenOf(one, 'transfer')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(tokenOf(one, 'transfer')).toBe(tokenOf(one, 'transfer'))
  expect(new Set([tokenOf(one, 'transfer'), tokenOf(one, 'return'), tokenOf(two, 'transfer')]).size).toBe(3)
})
