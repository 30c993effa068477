// What logs may keep of ids that clients choose and of messages that other programs write.
import { expect, it } from 'vitest'
import { createLog } from './log.ts'
import { hasSecret, isSecretId, replaceEmails } from './sensitive.ts'

const ID = '019cd79e-4600-7000-8087-091991044481'
const HEX = ID.replaceAll('-', '')
const KEY = 'cstk_live_0123456789abcdefghijklmnopqrstuvwxyz0123456789abcde'

it.each([ID, `op_${HEX}`, `There is no card card_${HEX}.`, `a ${ID} and ${ID}`, 'top-up of 100000.00', '2026-03-10'])(
  'an id or amount is no secret: %s',
  (text) => expect(hasSecret(text)).toBe(false),
)

it.each([
  KEY,
  KEY.toUpperCase(),
  'whsec_abc',
  '4111 1111 1111 1111',
  `${ID} 4111111111111111`,
  'c s t k_live',
  `op_${HEX}${HEX}`,
])('a secret is found: %s', (text) => expect(hasSecret(text)).toBe(true))

it.each([
  ['ada@example.com', 'X'],
  ["to o'brien+x@sub.example.co.uk, please", 'to X please'],
  ['ada%40example.com', 'X'],
  ['what stands at an @ alone', 'what stands at an @ alone'],
  ['no address', 'no address'],
])('e-mail addresses are replaced: %s', (text, kept) => expect(replaceEmails(text, 'X')).toBe(kept))

it.each([
  '1',
  ID,
  HEX,
  `req_${HEX}`,
  '1741608000000',
  '4bf92f3577b34da6a3ce929d0e0e4736',
  '4111111111111112',
  '20260310-120000-1234',
])('a client may choose the id %s', (id) => expect(isSecretId(id)).toBe(false))

it.each([
  KEY,
  `Bearer:${KEY}`,
  'whsec_abc',
  '4111111111111111',
  '4111-1111-1111-1111',
  'pan=5555555555554444',
  'eyJhbGciOiJIUzI1NiJ9.e30.x',
])('an id that is a secret is not taken: %s', (id) => expect(isSecretId(id)).toBe(true))
it('the log of the server has no secret and no e-mail address, and keeps ids, packages and causes', () => {
  let written = ''
  const log = createLog({ level: 'debug', destination: { write: (line) => void (written += line) } })
  const error = new Error(`duplicate key ada@example.com, ${KEY} in op_${HEX}`)
  error.stack = `${error.message}\n  at run (/srv/node_modules/.pnpm/pg@8.1.0/index.js:10:2)`
  log.error(
    { error, requestId: ID, reason: `no route to ada@example.com with 4111111111111111`, count: 3 },
    'It failed.',
  )
  log.error({ error: `thrown ${KEY}` }, 'It failed.')
  expect(written).not.toMatch(/ada|cstk_live|4111/)
  expect(written).toContain('[e-mail]')
  for (const kept of [ID, `op_${HEX}`, 'pg@8.1.0', '"count":3', 'It failed.']) expect(written).toContain(kept)
})
