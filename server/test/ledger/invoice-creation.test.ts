// The database functions that create, settle and expire invoices change exactly what they promise: every column is checked, and
// no other invoice changes, be it of the same account, of the other environment or of another company.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { settleFirstAnswer } from '../../src/funding/queries.ts'
import { selectWaiting } from '../support/on-citus.ts'
import { until } from '../support/wait.ts'
import { Book } from './book.ts'
import { Cast, PAY_URL, type State } from './invoice-cast.ts'

/** The shortest time that the database knows, in minutes. */
const MS = 1 / 60_000

let book: Book
let cast: Cast
beforeAll(async () => {
  book = await Book.open()
})
beforeEach(async () => {
  cast = await Cast.create(book)
})
afterAll(() => book.close())

const event = (status: string, minute: number) => ({
  type: `invoice.${status}`,
  created_at: `minute ${minute}`,
  data: `${status} null ${PAY_URL}`,
})
const failed = { status: 'failed', failure: { code: 'declined', message: 'Declined.' } } as const

describe('begin_invoice', () => {
  /** Ends the unresolved invoices of the account. */
  const endAll = async () => {
    await cast.settle(cast.mine, 'subject', 90, failed)
    await cast.resolve(cast.mine, 'reopened', 91, { status: 'expired', seen: 7_000_000n })
  }
  const begin = (key: string, digest = '00') =>
    book.many<{ verdict: string; id: string; status: string; expires_at: Date | null }>(
      `select * from begin_invoice($1, $2, $3, $4, $5, $6, 20000, 300, $7, $8)`,
      [
        cast.mine.companyId,
        cast.at(100),
        cast.mine.environment,
        cast.ids['later payment'],
        key,
        digest,
        cast.at(101),
        Buffer.from(cast.ids['later payment'].replaceAll('-', '').repeat(2), 'hex').toString('hex'),
      ],
    )

  test('records an invoice and its pay link if the invoices of the account have ended, whatever others have', async () => {
    await endAll()
    for (const scope of cast.others) await cast.expire(scope, 'subject', 150)
    const { value, changes } = await cast.watch(() => begin('new'))
    expect(value).toEqual([{ verdict: 'begun', id: cast.ids['later payment'], status: 'creating', expires_at: null }])
    expect(changes).toEqual({
      'invoice later payment': {
        status: 'creating',
        requested: 20_000,
        deposit: 20_000,
        fee: 300,
        reasons: [],
        idempotency_key: 'new',
        request_digest: '\\x00',
        created_at: 'minute 100',
        status_at: 'minute 100',
        look_up_count: 0,
        reopened: false,
      },
      'issuer_request later payment': { kind: 'invoice', status: 'processing', due_at: 'minute 101', held: 0 },
      'pay_link later payment': { digest: `\\x${cast.ids['later payment'].replaceAll('-', '').repeat(2)}` },
    })
  })

  test('accepts a key that only others have used', async () => {
    await endAll()
    for (const scope of cast.others) {
      await cast.settle(scope, 'subject', 90, failed)
      await cast.resolve(scope, 'reopened', 91, { status: 'expired', seen: 7_000_000n })
      await cast.begin(scope, 'later payment', 95, 'shared')
    }
    const { value, changes } = await cast.watch(() => begin('shared'))
    expect(value).toMatchObject([{ verdict: 'begun' }])
    expect(Object.keys(changes)).toEqual([
      'invoice later payment',
      'issuer_request later payment',
      'pay_link later payment',
    ])
  })

  test('returns the invoice of a repeated key, and tells a conflict by the digest', async () => {
    for (const scope of cast.scopes) await cast.bring(scope, 'pending')
    const subject = { id: cast.ids.subject, status: 'pending', expires_at: cast.at(140) }
    const repeat = await cast.watch(() => begin('subject'))
    expect(repeat).toEqual({ value: [{ verdict: 'replay', ...subject }], changes: {} })
    const conflict = await cast.watch(() => begin('subject', '01'))
    expect(conflict).toEqual({ value: [{ verdict: 'conflict', ...subject }], changes: {} })
  })

  test('names the oldest unresolved invoice and records nothing', async () => {
    const oldest = { verdict: 'unresolved', id: cast.ids.reopened, status: 'manual_review', expires_at: cast.at(70) }
    expect(await cast.watch(() => begin('new'))).toEqual({ value: [oldest], changes: {} })
    await cast.resolve(cast.mine, 'reopened', 91, { status: 'expired', seen: 7_000_000n })
    const next = { verdict: 'unresolved', id: cast.ids.subject, status: 'creating', expires_at: null }
    expect(await cast.watch(() => begin('new'))).toEqual({ value: [next], changes: {} })
    await cast.bring(cast.mine, 'pending')
    const pending = { ...next, status: 'pending', expires_at: cast.at(140) }
    expect(await cast.watch(() => begin('new'))).toEqual({ value: [pending], changes: {} })
  })
})

describe('settle_invoice', () => {
  const slot = (minute: number) => ({
    address: cast.address,
    invoice_id: 'subject',
    expires_at: `minute ${minute}`,
    free_at: `minute ${minute + 1440}`,
  })
  const pending = () => ({
    status: 'pending',
    status_at: 'minute 90',
    address: cast.address,
    pay_amount: 100_000_030,
    expires_at: 'minute 140',
  })
  const reviewed = { status: 'manual_review', status_at: 'minute 90', reasons: ['issuer_unknown'] }
  const settle = (creation: Parameters<Cast['settle']>[3]) =>
    cast.watch(() => cast.settle(cast.mine, 'subject', 90, creation))
  const settlePending = () => settle(cast.instructions(cast.mine))
  const reserve = async (minute: number, { companyId, environment } = cast.mine, id = cast.ids.earlier) => {
    await book.run(
      `insert into payment_slot (address, pay_amount, company_id, environment, invoice_id, expires_at, free_at)
       values ($1, 100000030, $2, $3, $4, $5, $6)`,
      [cast.address, companyId, environment, id, cast.at(minute - 1), cast.at(minute)],
    )
  }

  test('pending: takes the instructions and reserves the exact amount', async () => {
    expect(await settlePending()).toEqual({
      value: true,
      changes: {
        'invoice subject': pending(),
        'issuer_request subject': 'gone',
        'payment_slot 100000030': slot(140),
        'event subject 1': event('pending', 90),
      },
    })
  })

  test('pending: takes an exact amount that is free from this moment on', async () => {
    await reserve(90)
    const { value, changes } = await settlePending()
    const { address: _, ...taken } = slot(140)
    expect(value).toBe(true)
    expect(changes).toEqual({
      'invoice subject': pending(),
      'issuer_request subject': 'gone',
      'payment_slot 100000030': taken,
      'event subject 1': event('pending', 90),
    })
  })

  test('pending: keeps an exact amount that the issuer reserved for this invoice before', async () => {
    await reserve(2000, cast.mine, cast.ids.subject)
    const { changes } = await settlePending()
    expect(changes).toEqual({
      'invoice subject': pending(),
      'issuer_request subject': 'gone',
      'payment_slot 100000030': { expires_at: 'minute 140', free_at: 'minute 1580' },
      'event subject 1': event('pending', 90),
    })
  })

  test.each([
    ['an invoice of the account, until a moment later', 0, 'earlier', 90 + MS],
    ['an invoice of the other environment with the same id', 1, 'subject', 2000],
    ['an invoice of another company with the same id', 2, 'subject', 2000],
  ] as const)('pending: goes to review if the exact amount is reserved for %s', async (_, owner, name, minute) => {
    await reserve(minute, cast.scopes[owner], cast.ids[name])
    expect(await settlePending()).toEqual({
      value: true,
      changes: {
        'invoice subject': reviewed,
        'issuer_request subject': { status: 'manual_review' },
        'event subject 1': event('manual_review', 90),
      },
    })
  })

  test('failed, manual_review and creating change only their own columns', async () => {
    const later = { status: 'creating', dueAt: cast.at(95), lookUps: 1 } as const
    expect(await settle(later)).toEqual({
      value: true,
      changes: { 'invoice subject': { look_up_count: 1 }, 'issuer_request subject': { due_at: 'minute 95' } },
    })
    expect(await settle(failed)).toEqual({
      value: true,
      changes: {
        'invoice subject': {
          status: 'failed',
          status_at: 'minute 90',
          failure_code: 'declined',
          failure_message: 'Declined.',
        },
        'issuer_request subject': 'gone',
        'event subject 1': event('failed', 90),
      },
    })
    cast = await Cast.create(book)
    expect(await settle({ status: 'manual_review' })).toEqual({
      value: true,
      changes: {
        'invoice subject': reviewed,
        'issuer_request subject': { status: 'manual_review' },
        'event subject 1': event('manual_review', 90),
      },
    })
  })

  test.each<State>(['pending', 'unknown', 'failed'])('changes nothing once the invoice is %s', async (state) => {
    await cast.bring(cast.mine, state)
    expect(await settle(failed)).toEqual({ value: false, changes: {} })
    expect(await settlePending()).toEqual({ value: false, changes: {} })
  })

  test('knows no invoice that only others have', async () => {
    await cast.addElsewhere('creating')
    const stray = () => cast.settle(cast.mine, 'later payment', 90, failed)
    expect(await cast.watch(stray)).toEqual({ value: false, changes: {} })
  })
})

describe('expire_invoice', () => {
  test('expires a pending invoice at its expiry and not before', async () => {
    for (const scope of cast.scopes) await cast.bring(scope, 'pending')
    const expire = (minute: number) => cast.watch(() => cast.expire(cast.mine, 'subject', minute))
    expect(await expire(140 - MS)).toEqual({ value: false, changes: {} })
    const changes = {
      'invoice subject': { status: 'expired', status_at: 'minute 140' },
      'event subject 2': event('expired', 140),
    }
    expect(await expire(140)).toEqual({ value: true, changes })
    expect(await expire(141)).toEqual({ value: false, changes: {} })
  })

  test.each<State>(['creating', 'in review', 'completed', 'failed'])(
    'does not expire one that is %s',
    async (state) => {
      await cast.bring(cast.mine, state)
      for (const scope of cast.others) await cast.bring(scope, 'pending')
      expect(await cast.watch(() => cast.expire(cast.mine, 'subject', 200))).toEqual({ value: false, changes: {} })
    },
  )

  test('does not expire another invoice of the account', async () => {
    await cast.bring(cast.mine, 'pending')
    expect(await cast.watch(() => cast.expire(cast.mine, 'earlier', 200))).toEqual({ value: false, changes: {} })
  })

  test('knows no invoice that only others have', async () => {
    await cast.addElsewhere('pending')
    expect(await cast.watch(() => cast.expire(cast.mine, 'later payment', 200))).toEqual({ value: false, changes: {} })
  })
})

describe('store_first_answer', () => {
  const store = (url: string, id = cast.ids.subject) => cast.watch(() => settleFirstAnswer(book.db, cast.mine, id, url))

  test('stores the invoice as it is, once', async () => {
    for (const scope of cast.scopes) await cast.bring(scope, 'pending')
    const first = await store(PAY_URL)
    const answer = first.value?.first_answer
    expect(answer).toMatchObject({ status: 'pending', payAmount: '100.000030', payUrl: PAY_URL })
    expect(first.changes).toEqual({ 'invoice subject': { first_answer: answer } })
    await cast.expire(cast.mine, 'subject', 200)
    expect(await store('https://pay.example/other')).toEqual({ value: { first_answer: answer }, changes: {} })
  })

  test('returns null if only others have the invoice', async () => {
    await cast.addElsewhere('expired')
    const answer = await store(PAY_URL, cast.ids['later payment'])
    expect(answer).toEqual({ value: { first_answer: null }, changes: {} })
  })

  test('waits for another process that stores one at the same moment, and returns that', async () => {
    const client = new pg.Client(book.connection)
    await client.connect()
    try {
      await client.query('begin')
      await client.query(`update invoice set first_answer = '{"id": "theirs"}' where id = $1`, [cast.ids.subject])
      const answer = settleFirstAnswer(book.db, cast.mine, cast.ids.subject, PAY_URL)
      await until('it waits', async () => (await book.db.many(selectWaiting())).length > 0)
      await client.query('commit')
      expect(await answer).toEqual({ first_answer: { id: 'theirs' } })
    } finally {
      await client.end()
    }
  })
})
