// Shows that the judge accepts a clean run and reports every kind of violation. The violations are made by an administrator
// who switches the database's own checks off, in transactions that are rolled back, or by changing what others saw.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toClientConfig } from '../../../src/db/pool.ts'
import { findId } from '../../../src/lib/ids.ts'
import { must } from '../../../src/lib/invariant.ts'
import { createCustomer, type Customer, issueBody, send, serviceBody, untilFinal } from '../../support/operations.ts'
import { TestServer } from '../../support/harness.ts'
import { complete, openInvoice } from '../../support/invoices.ts'
import { until } from '../../support/wait.ts'
import { register } from '../../support/webhooks.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import type { ClientRequest, Evidence, IssuerBook } from './evidence.ts'
import { judge, judgeSnapshot } from './judge.ts'
import { readRows, readSnapshotOf } from './snapshot.ts'

/** Past the pause between two seals of an account, and past the life of an invoice. */
const LATER_MS = 2 * 3_600_000

let server: TestServer
let receiver: Receiver
let client: pg.Client
let customer: Customer
let evidence: Required<Pick<Evidence, 'clients' | 'arrivals' | 'issuers' | 'isQuiet'>>
/** The ids of the operations that the run left behind, by what became of them. */
const ids = { done: '', card: '', failed: '', decided: '', open: '' }

beforeAll(async () => {
  server = await TestServer.start({ WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' })
  receiver = await startReceiver(200)
  customer = await createCustomer(server)
  const endpoint = await register(server, customer, receiver.url)
  server.clock.advance(1)
  const clients: ClientRequest[] = []
  const order = async (name: keyof typeof ids, body: object) => {
    const answer = await send(server, customer, body, `key-${name}`)
    ids[name] = must(findId('op', answer.body.id))
    clients.push(toRequest(`key-${name}`, body, ids[name]))
    await untilFinal(server, customer, answer.body.id)
  }
  await order('done', serviceBody())
  await order('card', issueBody(customer))
  await order('failed', serviceBody({ recipient: 'fail' }))
  await order('decided', serviceBody({ recipient: 'unknown' }))
  await order('open', serviceBody({ recipient: 'unknown' }))
  const path = `/api/v1/sandbox/reviews/op_${ids.decided.replaceAll('-', '')}/resolve`
  await server.post(path, customer.key, { outcome: 'failed' })
  const invoice = await openInvoice(server, customer)
  await complete(server, customer, invoice.id)
  server.clock.advance(LATER_MS)
  client = new pg.Client(toClientConfig(server.connection))
  await client.connect()
  await until('everything is delivered and sealed', async () => {
    const { rows } = await client.query<{ done: boolean | null }>(
      `select not exists (select from delivery where status = 'pending')
          and (select max(number) from seal) = (select max(number) from entry)
          and exists (select from invoice where status = 'completed') as done`,
    )
    // Null while there is no seal at all.
    return rows[0]?.done === true
  })
  const endpointId = must(findId('we', endpoint.id))
  const arrivals = receiver.arrivals.map(({ event }) => ({
    endpointId,
    eventId: must(findId('evt', event.id)),
    statusCode: 200,
  }))
  evidence = { clients, arrivals, issuers: [await readBook()], isQuiet: true }
})
afterAll(async () => {
  await client.end()
  await receiver.close()
  await server.stop()
})

function toRequest(idempotencyKey: string, body: object, id: string): ClientRequest {
  const { companyId, environment } = customer.scope
  const sentAtMs = server.clock.now().getTime()
  const what = { companyId, environment, object: 'operation', idempotencyKey, payload: JSON.stringify(body) } as const
  return { ...what, keyId: 'the key', sentAtMs, answeredAtMs: sentAtMs, answer: { kind: 'accepted', id } }
}

/** The book that another issuer would have kept: every operation was requested once. */
async function readBook(): Promise<IssuerBook> {
  const { operations, payments } = await readSnapshotOf(server.connection)
  return {
    environment: 'sandbox',
    requests: operations.map(({ id, company_id, amount, claimed_at }) => ({
      token: id,
      companyId: company_id,
      amount,
      atMs: must(claimed_at?.getTime()),
    })),
    effects: operations
      .filter(({ status }) => status === 'completed')
      .map(({ id: token, amount }) => ({ token, amount })),
    payments: payments.map(({ payment_key, invoice_id, amount }) => ({
      key: payment_key,
      invoiceId: invoice_id,
      amount,
    })),
  }
}

/** Returns what the judge says about a database that was tampered with. */
async function judgeTampered(statements: readonly string[]): Promise<string> {
  await client.query('begin')
  try {
    await client.query('set local session_replication_role = replica')
    for (const statement of statements) await client.query(fill(statement))
    return judgeSnapshot(await readRows(client), evidence).join('\n')
  } finally {
    await client.query('rollback')
  }
}

/** `:done` stands for the id of that operation. */
function fill(statement: string): string {
  return statement.replaceAll(/:(done|card|failed|decided|open)\b/g, (_, name: keyof typeof ids) => `'${ids[name]}'`)
}

it('accepts a clean run', async () => {
  expect(await judge(server.connection, evidence)).toEqual([])
  expect(await judge(server.connection, {})).toEqual([])
})

/** The issuer's answer to a look-up ended the review, and not the operator. */
const withLookUp = (startedAt: string) => [
  "delete from audit_log where action like 'review.%'",
  `update exchange set purpose = 'look_up', outcome = 'declined', started_at = '${startedAt}' where object_id = :decided`,
]

it('accepts a review that was ended by a look-up which another process had begun before it', async () => {
  expect(await judgeTampered(withLookUp('2000-01-01'))).not.toMatch(/left manual review/)
})

const DROP_ENTRY_CHECKS = 'alter table entry drop constraint entry_check, drop constraint entry_kind_check'
const DROP_ACCOUNT_CHECKS =
  'alter table account drop constraint account_available_check, drop constraint account_held_check'

describe('reports a database in which', () => {
  const cases: [string, string[], RegExp][] = [
    ['a balance is negative', [DROP_ACCOUNT_CHECKS, 'update account set available = -1'], /balance of .* is negative/],
    ['a balance is not the sum', ['update account set available = available + 1'], /but its entries sum to/],
    [
      'an entry makes the balance negative',
      [DROP_ENTRY_CHECKS, 'update entry set available_delta = -available_delta where number = 1'],
      /makes the available balance negative/,
    ],
    [
      'entries have a gap',
      ['update entry set number = number + 1000 where number >= 3'],
      /have a gap before entry 1003/,
    ],
    [
      'an entry was changed',
      ["update entry set created_at = created_at + interval '1 s' where number = 2"],
      /seal \d+ of .* does not match/,
    ],
    ['an entry is not sealed', ['delete from seal'], /only 0 of them are sealed/],
    [
      'held is not the unresolved total',
      ["update operation set status = 'processing' where id = :done"],
      /unresolved operations add up to/,
    ],
    [
      'a reservation is missing',
      ["delete from entry where reference = :done and kind = 'reservation'"],
      /has no reservation/,
    ],
    [
      'an operation ended twice',
      [
        'drop index entry_ends_once',
        `insert into entry select company_id, environment, 1 + (select max(number) from entry), kind, reference, available_delta, held_delta,
           balance, held, created_at, reference_type from entry where reference = :done and kind = 'capture'`,
      ],
      /ends operation .* a second time/,
    ],
    [
      'a completed operation was not captured',
      ["delete from entry where reference = :done and kind = 'capture'"],
      /is completed and was not captured/,
    ],
    [
      'a failure has no proof',
      ['delete from exchange where object_id = :failed'],
      /no exchange with the issuer proves/,
    ],
    [
      'a review ended by itself',
      ["delete from audit_log where action like 'review.%'"],
      /left manual review as failed/,
    ],
    ['a look-up that was begun during a review ended it', withLookUp('9999-01-01'), /left manual review as failed/],
    ['a review has no reason', ['delete from exchange where object_id = :open'], /in manual review for no reason/],
    ['a claim is missing', ['update operation set claimed_at = null where id = :done'], /no claim was recorded/],
    [
      'an event is missing',
      ["delete from event where object_id = :done and type = 'operation.processing'"],
      /not numbered from 1 to 3/,
    ],
    [
      'an event skips a state',
      ["update event set type = 'operation.manual_review' where object_id = :done and sequence = 2"],
      /go from queued to manual_review/,
    ],
    ['a card is missing', ['delete from card'], /its card is missing/],
    [
      'the issues are miscounted',
      ['update account set issued_count = issued_count + 1 where issued_count > 0'],
      /counts 2 issues/,
    ],
    ['environments mix', ["update holder set environment = 'live'"], /but refers to/],
    [
      'an acknowledged operation is missing',
      ['delete from operation where id = :done'],
      /was acknowledged to .* but it is missing/,
    ],
    [
      'an operation never ends',
      ["update operation set status = 'queued' where id = :open"],
      /still queued after everything/,
    ],
    [
      'two invoices are unresolved',
      [
        'drop index invoice_unresolved',
        "update invoice set status = 'pending'",
        `insert into invoice select company_id, environment, gen_random_uuid(), status, requested, deposit, fee, address, pay_amount, expires_at,
           received, reasons, failure_code, failure_message, 'other', request_digest, first_answer, created_at, status_at,
           look_up_count, reopened from invoice`,
      ],
      /has 2 unresolved invoices/,
    ],
    ['an invoice was completed without a payment', ['delete from invoice_payment'], /completed without its payment/],
    [
      'a deposit was not credited',
      ["delete from entry where kind = 'deposit' and reference_type = 'inv'"],
      /was never credited/,
    ],
    ['a delivery is missing', ['delete from delivery where event_id = :done'], /has no delivery for endpoint/],
    [
      'a delivery was given up early',
      ["update delivery set status = 'failed' where event_id = :done"],
      /given up after 1 attempts/,
    ],
    ['a delivery is pending', ["update delivery set status = 'pending' where event_id = :done"], /still pending/],
  ]
  it.each(cases)('%s', async (_, statements, sentence) => {
    expect(await judgeTampered(statements)).toMatch(sentence)
  })
})

describe('reports witnesses who saw that', () => {
  const judgeWith = async (change: (known: typeof evidence & { book: IssuerBook }) => Evidence) => {
    const book = must(evidence.issuers[0])
    return (await judge(server.connection, { ...evidence, ...change({ ...evidence, book }) })).join('\n')
  }
  const only = <Row>(rows: readonly Row[], index = 0) => must(rows[index])

  it('the issuer received a request twice', async () => {
    const sentences = await judgeWith(({ book }) => ({
      issuers: [{ ...book, requests: [...book.requests, only(book.requests)] }],
    }))
    expect(sentences).toMatch(/received 2 requests for/)
  })
  it('the issuer received a request before its claim', async () => {
    const sentences = await judgeWith(({ book }) => ({
      issuers: [{ ...book, requests: book.requests.map((request) => ({ ...request, atMs: 0 })) }],
    }))
    expect(sentences).toMatch(/before the claim was recorded/)
  })
  it('the issuer received a request of nobody', async () => {
    const stray = { token: 'stray', companyId: customer.id, amount: 1n, atMs: 0 }
    const sentences = await judgeWith(({ book }) => ({ issuers: [{ ...book, requests: [stray] }] }))
    expect(sentences).toMatch(/request for stray, which does not exist/)
  })
  it('the issuer received a request of another environment', async () => {
    const sentences = await judgeWith(({ book }) => ({ issuers: [{ ...book, environment: 'live' }] }))
    expect(sentences).toMatch(/another company or environment/)
  })
  it('the issuer carried out nothing that was captured', async () => {
    expect(await judgeWith(({ book }) => ({ issuers: [{ ...book, effects: [] }] }))).toMatch(/did not carry it out/)
  })
  it('the issuer carried out what was released', async () => {
    const effects = [{ token: ids.failed, amount: 1000n }]
    const sentences = await judgeWith(({ book }) => ({
      issuers: [{ ...book, effects: [...book.effects, ...effects] }],
    }))
    expect(sentences).toMatch(/was released, but the issuer carried it out/)
  })
  it('the issuer did not see a payment', async () => {
    expect(await judgeWith(({ book }) => ({ issuers: [{ ...book, payments: [] }] }))).toMatch(
      /the issuer did not see it/,
    )
  })
  it('a key was answered with two objects', async () => {
    const twice = { ...only(evidence.clients), answer: { kind: 'accepted', id: ids.card } } as const
    expect(await judgeWith(({ clients }) => ({ clients: [...clients, twice] }))).toMatch(
      /answered with several objects/,
    )
  })
  it('a key was accepted with two payloads', async () => {
    const other = { ...only(evidence.clients), payload: 'other' }
    expect(await judgeWith(({ clients }) => ({ clients: [...clients, other] }))).toMatch(/2 different payloads/)
  })
  it('a repetition was refused as a conflict', async () => {
    const conflict = { ...only(evidence.clients), answer: { kind: 'conflict' } } as const
    expect(await judgeWith(() => ({ clients: [conflict] }))).toMatch(/it was used with one payload only/)
  })
  it('a request was refused although there were funds', async () => {
    const answer = { kind: 'refused', code: 'insufficient_funds' } as const
    const refused = { ...only(evidence.clients, 1), idempotencyKey: 'new', total: 1n, answer }
    expect(await judgeWith(({ clients }) => ({ clients: [...clients, refused] }))).toMatch(/there was always enough/)
  })
  it('a revoked key was accepted', async () => {
    const revocations = [{ keyId: 'the key', atMs: 0 }]
    expect(await judgeWith(() => ({ revocations }))).toMatch(/after API key the key was revoked/)
  })
  it('a list loses an object', async () => {
    const walks = [{ what: 'the list of operations', expected: ['a', 'b'], seen: ['a'] }]
    expect(await judgeWith(() => ({ walks }))).toMatch(/shows 1 objects page by page/)
  })
  it('a receiver never answered', async () => {
    expect(await judgeWith(() => ({ arrivals: [] }))).toMatch(/the receiver never answered 2xx/)
  })
  it('more cards were issued than the quota', async () => {
    expect(await judgeWith(() => ({ quotaOf: () => 0 }))).toMatch(/and the quota is 0/)
  })
})
