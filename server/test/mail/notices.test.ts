// What people are told by e-mail: once for each occasion, all of it in one mail, only those who can do something about it and want to know.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { LOW_BALANCE_PAUSE_MS, queueAllNotices } from '../../src/mail/notices.ts'
import { NOTICES_PER_PERSON } from '../../src/mail/limits.ts'
import { queueNotices } from '../../src/mail/queries.ts'
import { findId } from '../../src/lib/ids.ts'
import { join } from '../api/people/people.ts'
import { openInvoice } from '../support/invoices.ts'
import { createCustomer, perform, serviceBody } from '../support/operations.ts'
import { TestServer, type TestCompany } from '../support/harness.ts'
import { MailServer } from '../support/mail-server.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const mailServer = await MailServer.start()
const settings = { ...mailServer.settings, PUBLIC_URL: 'https://cards.example', SESSION_LIFETIME_HOURS: '720' }
const server = await TestServer.start(settings)
afterAll(async () => {
  await server.stop()
  await mailServer.close()
})

const deps = { db: server.db, clock: server.clock, hasLiveIssuer: false }

let company: TestCompany
let owner: Awaited<ReturnType<typeof join>>
beforeEach(async () => {
  company = await server.createCompany()
  owner = await join(server, 'owner', company)
})

/** Looks for what to tell, twice, and returns the mails that this causes, once all have arrived. */
async function tell() {
  await settle()
  const before = mailServer.mails.length
  await queueAllNotices(deps)
  await queueAllNotices(deps)
  await settle()
  return mailServer.mails.slice(before)
}

/** Waits until no mail is due or being sent. */
async function settle() {
  const text = `select 1 from outgoing_mail where status = 'waiting' and (due_at <= $1 or (tried_at = $1 and reason is null))`
  const isDue = () => server.db.many({ name: undefined, text, values: [server.clock.now()] })
  await expect.poll(isDue, { message: 'mails that are due' }).toEqual([])
}

const run = (text: string, ...values: unknown[]) => server.db.run({ name: undefined, text, values })
const setThreshold = (threshold: string) =>
  server.request('PATCH', '/api/v1/balance/alert', { token: company.key, body: { threshold } })

/** An invoice that is in review in live. */
async function addLiveReview(): Promise<string> {
  const { id: wireId } = await openInvoice(server, company)
  await run(
    `insert into account (company_id, environment) select $1, 'live' where not exists (
       select from account where company_id = $1 and environment = 'live')`,
    company.id,
  )
  await run(
    `insert into invoice select (jsonb_populate_record(i, '{"environment": "live", "status": "manual_review"}')).*
     from invoice i where i.id = $1`,
    findId('inv', wireId),
  )
  return wireId
}

describe('a low balance', () => {
  it('is mailed once, and again only after there was enough and a day has passed', async () => {
    await setThreshold('1.00')
    const [mail, ...more] = await tell()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: [owner.email], subject: 'The balance of Test company is low' })
    expect(mail?.text).toContain('in sandbox')
    expect(await tell()).toEqual([])
    // There is enough for a moment.
    await setThreshold('0.00')
    expect(await tell()).toEqual([])
    await setThreshold('1.00')
    expect(await tell()).toEqual([])
    server.clock.advance(LOW_BALANCE_PAUSE_MS + 1)
    await setThreshold('0.00')
    expect(await tell()).toEqual([])
    await setThreshold('1.00')
    expect(await tell()).toHaveLength(1)
  })

  it('goes neither to other roles nor to those who turned it off or left', async () => {
    const finance = await join(server, 'finance', company)
    const leaver = await join(server, 'finance', company)
    await join(server, 'developer', company)
    const outsider = await join(server, 'owner', await server.createCompany())
    expect((await setThreshold('1.00')).status).toBe(200)
    const changed = await owner.send('PATCH', '/console/v1/notifications', { body: { lowBalance: false } })
    expect(changed.body).toEqual({ sendsMail: true, reviews: null, lowBalance: false, endpoints: true, keys: true })
    await settle()
    mailServer.mails.length = 0
    await mailServer.close()
    await queueAllNotices(deps)
    await settle()
    await run('delete from membership m using person p where p.id = m.person_id and p.email = $1', leaver.email)
    await mailServer.open()
    server.clock.advance(2 * MINUTE)
    await expect.poll(() => mailServer.mails.length).toBe(1)
    await settle()
    expect(mailServer.mails.map(({ to }) => to)).toEqual([[finance.email]])
    expect(mailServer.to(outsider.email)).toEqual([])
    expect((await owner.get('/console/v1/notifications')).body).toMatchObject({ lowBalance: false })
  })
})

it('reviews that wait are mailed to operators once each, those of one look in one mail', async () => {
  const operator = await join(server, 'operator')
  await join(server, 'support')
  const customer = await createCustomer(server)
  const unknown = () => perform(server, customer, serviceBody({ recipient: 'unknown' }))
  const [one, two] = [await unknown(), await unknown()]
  const [mail, ...more] = await tell()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ to: [operator.email], subject: '2 reviews need a decision' })
  expect(mail?.text).toContain(`• ${one.id} (sandbox)\n• ${two.id} (sandbox)`)
  expect(mail?.text).toContain('https://cards.example/operator/reviews')
  const third = await unknown()
  const next = await tell()
  expect(next.map(({ subject }) => subject)).toEqual(['A review needs a decision'])
  expect(next[0]?.text).toContain(third.id)
})

it('reviews of the sandbox are not mailed where there are live ones, which would wait behind them', async () => {
  const operator = await join(server, 'operator')
  const customer = await createCustomer(server)
  await perform(server, customer, serviceBody({ recipient: 'unknown' }))
  const live = await addLiveReview()
  await queueAllNotices({ ...deps, hasLiveIssuer: true })
  await settle()
  const mails = mailServer.mails.filter(({ to }) => to.includes(operator.email))
  expect(mails.map(({ subject }) => subject)).toEqual(['A review needs a decision'])
  expect(mails[0]?.text).toContain(`• ${live} (live)`)
  // Without a live issuer there is nothing else to tell.
  expect((await tell()).map(({ to }) => to)).toContainEqual([operator.email])
})

it('keys that expire are mailed seven days and one day before, in one mail for all keys of a company', async () => {
  const now = server.clock.now().getTime()
  const expiresAt = new Date(now + 8 * DAY).toISOString()
  await server.createKey(company.id, { expiresAt })
  await server.createKey(company.id, { expiresAt })
  expect(await tell()).toEqual([])
  server.clock.advance(DAY)
  const first = await tell()
  expect(first.map(({ to, subject }) => [to, subject])).toEqual([
    [[owner.email], '2 API keys of Test company expire soon'],
  ])
  server.clock.advance(6 * DAY)
  expect(await tell()).toHaveLength(1)
  server.clock.advance(12 * HOUR)
  expect(await tell()).toEqual([])
})

it('an endpoint is mailed when it has failed for a day, when it is disabled, and when it fails anew', async () => {
  const made = await server.post<{ id: string }>('/api/v1/webhook-endpoints', company.key, {
    url: 'https://hook.example',
    events: ['*'],
  })
  const fail = () =>
    run(
      'update delivery_queue set failures = 1, failing_since = $2 where company_id = $1',
      company.id,
      server.clock.now(),
    )
  await fail()
  expect(await tell()).toEqual([])
  server.clock.advance(DAY)
  const failing = await tell()
  expect(failing.map(({ text }) => text)).toEqual([
    expect.stringContaining('After five days of failures it is disabled.'),
  ])
  await run(
    `update webhook_endpoint set status = 'disabled', disabled_reason = 'failures' where company_id = $1`,
    company.id,
  )
  const disabled = await tell()
  expect(disabled.map(({ text }) => text)).toEqual([expect.stringContaining('was disabled. It receives no events')])
  await server.request('PATCH', `/api/v1/webhook-endpoints/${made.body.id}`, {
    token: company.key,
    body: { status: 'enabled' },
  })
  await fail()
  server.clock.advance(DAY)
  expect(await tell()).toHaveLength(1)
})

it('one person gets ten in an hour, and the others later', async () => {
  await settle()
  mailServer.mails.length = 0
  for (let count = 0; count < NOTICES_PER_PERSON + 2; count += 1) {
    const notices = {
      kind: 'keys',
      companyId: company.id,
      roles: ['owner'],
      subjects: [`test ${count}`],
      items: [{ name: `key ${count}` }],
    } as const
    await queueNotices(server.db, server.clock.now(), notices, { items: 20, queue: 100, company: 100 })
  }
  await settle()
  expect(mailServer.to(owner.email)).toHaveLength(NOTICES_PER_PERSON)
  server.clock.advance(HOUR + 1)
  await settle()
  expect(mailServer.to(owner.email)).toHaveLength(NOTICES_PER_PERSON + 2)
})

it('no company fills the queue: what its people are told beyond its share of a day, they are told later', async () => {
  const other = await server.createCompany()
  await join(server, 'owner', other)
  await join(server, 'owner', company)
  const tellOwners = async ({ id: companyId }: TestCompany, subject: string) => {
    const notices = {
      kind: 'keys',
      companyId,
      roles: ['owner'],
      subjects: [subject],
      items: [{ name: 'key' }],
    } as const
    const found = await queueNotices(server.db, server.clock.now(), notices, { items: 20, queue: 100, company: 3 })
    return found?.told
  }
  const queued = async () => {
    const rows = await server.db.many({
      name: undefined,
      text: 'select 1 from outgoing_mail where company_id = $1 and person_id is not null',
      values: [company.id],
    })
    return rows.length
  }
  expect([await tellOwners(company, 'share 1'), await queued()]).toEqual([1, 2])
  expect([await tellOwners(company, 'share 2'), await queued()]).toEqual([1, 3])
  expect([await tellOwners(company, 'share 3'), await queued()]).toEqual([0, 3])
  expect(await tellOwners(other, 'share of the other')).toBe(1)
  server.clock.advance(DAY + 1)
  expect([await tellOwners(company, 'share 3'), await queued()]).toEqual([1, 5])
})

it('a full queue takes nothing, and what was not queued is told later', async () => {
  const notices = {
    kind: 'keys',
    companyId: company.id,
    roles: ['owner'],
    subjects: ['full'],
    items: [{ name: 'key' }],
  } as const
  expect(await queueNotices(server.db, server.clock.now(), notices, { items: 20, queue: 0, company: 100 })).toEqual({
    told: 0,
  })
  expect(await queueNotices(server.db, server.clock.now(), notices, { items: 20, queue: 100, company: 100 })).toEqual({
    told: 1,
  })
})
