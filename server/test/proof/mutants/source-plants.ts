// Planted bugs in the TypeScript sources. Each is a small patch that exists only while its test runs, and that test must fail.
// The bugs of the SQL functions, and of parts that can be exchanged, are planted in the simulation.
import { readSource } from './find.ts'
import type { Mutant } from './mutant.ts'

export interface SourcePlant {
  readonly name: string
  /** Relative to `server`. */
  readonly file: string
  /** Occurs in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** The test that must notice it, relative to `server`. */
  readonly noticedBy: string
}

/** The judge looks at what a few seeds of the simulation leave behind. */
const JUDGE = 'test/proof/simulation/simulation.test.ts'
const ANSWERS = 'test/live/answers.test.ts'
const LEASES = 'test/operations/leases.test.ts'

const UNKNOWN = `    const lookUps = purpose === 'look_up' ? done + 1 : done\n`

export const SOURCE_PLANTS: readonly SourcePlant[] = [
  {
    name: "the issuer's answer is accepted unsigned",
    file: 'src/issuer/http/exchange.ts',
    find: 'if (forgery === undefined) return',
    replace: 'if (true) return',
    noticedBy: ANSWERS,
  },
  {
    name: "the issuer's answer is accepted unsigned, as the judge sees it",
    file: 'src/issuer/http/exchange.ts',
    find: 'if (forgery === undefined) return',
    replace: 'if (true) return',
    noticedBy: JUDGE,
  },
  {
    name: "the issuer's event is accepted unsigned",
    file: 'src/issuer/http/events.ts',
    find: 'header !== undefined && forgery === undefined) {',
    replace: 'header !== undefined) {',
    noticedBy: 'test/api/issuer-events/settlements.test.ts',
  },
  {
    name: 'a lease is shorter than the call',
    file: 'src/issuer/lease.ts',
    find: 'sendWithinMs(issuerTimeoutMs) + issuerTimeoutMs + issuerTimeoutMs / 6',
    replace: 'sendWithinMs(issuerTimeoutMs) + issuerTimeoutMs / 6',
    noticedBy: LEASES,
  },
  {
    name: 'a worker that was suspended past its lease still sends',
    file: 'src/issuer/requests/ask.ts',
    find: 'performance.now() - claim.startedMs > sendWithinMs(issuerTimeoutMs)',
    replace: 'false',
    noticedBy: LEASES,
  },
  {
    name: 'the fence of the reference issuer does not fence',
    file: 'src/adapter/reference/perform.ts',
    find: "return refused(token, body, { ...DECLINED, code: 'fenced' })",
    replace: 'return carryOut(makeInvoice, token, companyId, body)',
    noticedBy: 'test/live/fence.test.ts',
  },
  {
    name: 'the promise of a fence is believed when nobody asked for a fence',
    file: 'src/issuer/http/issuer.ts',
    find: "return isFence ? { kind: 'absent'",
    replace: "return true ? { kind: 'absent'",
    noticedBy: ANSWERS,
  },
  {
    name: 'the money is released when the issuer does not know the token',
    file: 'src/issuer/http/issuer.ts',
    find: "return { kind: 'unknown', reason: 'the issuer does not know this token', answered: true, received }",
    replace: "return { kind: 'absent', received }",
    noticedBy: ANSWERS,
  },
  {
    name: 'a request is sent again after a time-out',
    file: 'src/issuer/evidence.ts',
    find: UNKNOWN,
    replace: `    if (purpose === 'request') return { kind: 'send_again', at: now }\n${UNKNOWN}`,
    noticedBy: JUDGE,
  },
  {
    name: 'the money is released after a time-out',
    file: 'src/issuer/evidence.ts',
    find: UNKNOWN,
    replace: `    if (purpose === 'request') return { kind: 'fail', failure: UNREACHABLE }\n${UNKNOWN}`,
    noticedBy: 'src/issuer/evidence.test.ts',
  },
  {
    name: 'a change of a card is sent before the attempt is recorded',
    file: 'src/card-changes/change.ts',
    find: '  const { verdict } = must(',
    replace: `  await issuer.setCardStatus({ scope, token: id, cardId, status: to })\n  const { verdict } = must(`,
    noticedBy: 'test/api/cards/live.test.ts',
  },
  {
    name: 'an invoice whose outcome is unknown is asked for again',
    file: 'src/funding/request-kind.ts',
    find: 'issuer.lookUpInvoice({ ...requestOf(row), isLast })',
    replace: 'issuer.createInvoice(requestOf(row))',
    noticedBy: 'test/live/fence.test.ts',
  },
  {
    name: 'a worker looks up its own call in flight',
    file: 'src/issuer/requests/worker.ts',
    find: 'claimed.filter((request) => !inFlight.has(request.id))',
    replace: 'claimed',
    noticedBy: 'test/operations/process.test.ts',
  },
  {
    name: 'a cursor is not bound to its filters',
    file: 'src/http/page.ts',
    find: 'scope?.environment ?? null, { ...filters, ...order }]',
    replace: 'scope?.environment ?? null]',
    noticedBy: 'test/api/operations/list.test.ts',
  },
  {
    name: 'a cursor is bound to nothing',
    file: 'src/lib/cursor.ts',
    find: "`${position.toString('hex')} ${binding}`",
    replace: "position.toString('hex')",
    noticedBy: 'src/lib/cursor.test.ts',
  },
  {
    name: 'the cache of keys outlives a revocation',
    file: 'src/access/versioned-cache.ts',
    find: 'if (current !== version) clear()',
    replace: '',
    noticedBy: 'test/api/keys/lifecycle.test.ts',
  },
  {
    name: 'the cache of keys keeps what was read before a revocation',
    file: 'src/access/versioned-cache.ts',
    find: 'value !== undefined && started === generation',
    replace: 'value !== undefined',
    noticedBy: 'test/api/keys/cache.test.ts',
  },
  {
    name: 'the job that seals skips accounts after its first round',
    file: 'src/ledger/seal.ts',
    find: 'after = last ?? FIRST_ACCOUNT',
    replace: 'after = accounts.at(-1) ?? after',
    noticedBy: 'test/ledger/chain.test.ts',
  },
  {
    name: 'a delivery counts as delivered whatever the receiver answers',
    file: 'src/webhooks/schedule.ts',
    find: 'statusCode >= 200 && statusCode < 300',
    replace: 'statusCode >= 200',
    noticedBy: 'test/webhooks/rules.test.ts',
  },
]

/** Throws if the text that the plant replaces is no longer there exactly once. */
export function mutantOf({ name, file, find, replace }: SourcePlant): Mutant {
  const text = readSource(file)
  const start = text.indexOf(find)
  if (start === -1 || text.includes(find, start + 1))
    throw new Error(`The plant "${name}" replaces a text that is not in ${file} exactly once: ${find}`)
  const line = text.slice(0, start).split('\n').length
  return { name, file, line, start, end: start + find.length, replacement: replace }
}
