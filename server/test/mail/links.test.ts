// Invitations and links for a new password by e-mail, with a real mail server: they arrive with a link that works, once, survive an outage
// and a killed process, and nobody can flood a mailbox or write headers with them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimMails } from '../../src/mail/queries.ts'
import { LINKS_PER_ADDRESS, LINKS_PER_COMPANY } from '../../src/mail/limits.ts'
import { Browser, invite, join, PASSWORD, tokenOf } from '../api/people/people.ts'
import { findFreePort } from '../support/free-port.ts'
import { listEveryRow } from '../support/every-row.ts'
import { TestServer, type TestCompany } from '../support/harness.ts'
import { MailServer } from '../support/mail-server.ts'

const HOUR = 3_600_000
/** The second attempt is made after a minute. */
const RETRY = 61_000
const DAY = 24 * HOUR
const mailServer = await MailServer.start()
const port = await findFreePort()
const server = await TestServer.start({ ...mailServer.settings, PUBLIC_URL: `http://127.0.0.1:${port}` }, { port })
afterAll(async () => {
  await server.stop()
  await mailServer.close()
})

interface Made {
  id: string
  url: string
  mail: string
}

let company: TestCompany
let owner: Awaited<ReturnType<typeof join>>
beforeAll(async () => {
  company = await server.createCompany()
  owner = await join(server, 'owner', company)
})

const inviteByOwner = (email: string, by = owner) => by.post<Made>('/api/v1/invitations', { email, role: 'viewer' })
const arrived = async (address: string, count = 1) => {
  await expect.poll(() => mailServer.to(address).length, { message: `mails to ${address}` }).toBe(count)
}
const linkIn = (text: string) => /http:\/\/\S+\/sign-in#\S+/.exec(text)?.[0] ?? ''
const statusOf = async (id: string) => {
  const { body } = await owner.get<{ data: { id: string; mail: string }[] }>('/api/v1/invitations?limit=100')
  return body.data.find((each) => each.id === id)?.mail
}

describe('an invitation', () => {
  it('is mailed with the link that is shown, which works, and is not left in the database', async () => {
    const { body, status } = await inviteByOwner('ada@example.com')
    expect({ status, mail: body.mail }).toEqual({ status: 201, mail: 'waiting' })
    await arrived('ada@example.com')
    const [mail] = mailServer.to('ada@example.com')
    expect(mail).toMatchObject({ from: 'cards@programme.example', subject: 'Your invitation to Test company' })
    expect(mail?.headers.get('from')).toEqual(['Cards <cards@programme.example>'])
    expect(linkIn(mail?.text ?? '')).toBe(body.url)
    await expect.poll(() => statusOf(body.id)).toBe('sent')
    const rows = await listEveryRow(server)
    expect(rows.some(({ line }) => line.includes(tokenOf(body.url)))).toBe(false)
    expect(
      await server.db.many({ name: undefined, text: 'select 1 from outgoing_mail where link is not null', values: [] }),
    ).toEqual([])
    const token = tokenOf(linkIn(mail?.text ?? ''))
    const used = await new Browser(server).post('/console/v1/links/use', { token, name: 'Ada', password: PASSWORD })
    expect(used.body).toMatchObject({ signedIn: true, me: { email: 'ada@example.com' } })
  })

  it('of an operator to the programme is mailed too', async () => {
    const body = { email: 'op@example.com', role: 'support' }
    const made = await server.request<Made>('POST', '/admin/v1/invitations', { token: server.operatorToken, body })
    expect(made.body.mail).toBe('waiting')
    await arrived('op@example.com')
    expect(linkIn(mailServer.to('op@example.com')[0]?.text ?? '')).toBe(made.body.url)
  })

  it('that was revoked before its mail is due is not mailed', async () => {
    await mailServer.close()
    const { body } = await inviteByOwner('revoked@example.com')
    await expect
      .poll(() => readMail(body.url))
      .toMatchObject({ tries: 1, reason: expect.stringContaining('ECONNREFUSED') })
    await owner.send('DELETE', `/api/v1/invitations/${body.id}`)
    await mailServer.open()
    server.clock.advance(RETRY)
    await expect.poll(() => readMail(body.url)).toMatchObject({ status: 'cancelled', link: null })
    expect(mailServer.to('revoked@example.com')).toEqual([])
  })
})

/** Reads the mail by its address, which each test uses once. */
async function readMail(url: string) {
  const digest = server.app.keyring.digest(tokenOf(url))
  const text = `select m.* from outgoing_mail m join one_time_link l on l.id = m.id where l.digest = $1`
  const [row] = await server.db.many<{ id: string; status: string; tries: number; reason: string; link: unknown }>({
    name: undefined,
    text,
    values: [digest],
  })
  return row
}

it('a link for a new password is mailed to the person and works', async () => {
  const member = await join(server, 'viewer', company)
  const { body: people } = await owner.get<{ data: { id: string; email: string }[] }>('/api/v1/people')
  const id = people.data.find(({ email }) => email === member.email)?.id ?? ''
  const { body } = await owner.post<Made>(`/api/v1/people/${id}/reset`, {})
  expect(body.mail).toBe('waiting')
  // The mail of the invitation may have gone out before it was accepted.
  const linkOf = () => mailServer.to(member.email).map(({ text }) => linkIn(text))
  await expect.poll(linkOf).toContain(body.url)
  const token = tokenOf(body.url)
  const used = await new Browser(server).post('/console/v1/links/use', { token, password: `${PASSWORD} again` })
  expect(used.body).toMatchObject({ signedIn: true })
})

it('a mail server that is down delays a mail, and does not lose it', async () => {
  await mailServer.close()
  const { body } = await inviteByOwner('later@example.com')
  await expect.poll(() => readMail(body.url)).toMatchObject({ tries: 1, status: 'waiting' })
  await mailServer.open()
  server.clock.advance(RETRY)
  await arrived('later@example.com')
  await expect.poll(() => statusOf(body.id)).toBe('sent')
})

it('no further attempt is made after a day, and the list of invitations says so', async () => {
  await mailServer.close()
  const { body } = await inviteByOwner('never@example.com')
  await expect.poll(() => readMail(body.url)).toMatchObject({ tries: 1, reason: expect.any(String) })
  server.clock.advance(DAY)
  await expect.poll(() => readMail(body.url)).toMatchObject({ status: 'failed', link: null })
  await mailServer.open()
  // After a day every session has ended.
  await owner.signIn(owner.email)
  expect(await statusOf(body.id)).toBe('failed')
})

it('an address that the mail server refuses for good is tried once', async () => {
  mailServer.refuse = (address) =>
    address === 'unknown@example.com' ? Object.assign(new Error('no such user'), { responseCode: 550 }) : undefined
  const { body } = await inviteByOwner('unknown@example.com')
  await expect.poll(() => statusOf(body.id)).toBe('failed')
  expect(await readMail(body.url)).toMatchObject({ tries: 1, reason: expect.stringContaining('no such user') })
})

it('a mail whose process was killed between sending and noting it is sent again with the same Message-ID', async () => {
  const rows: unknown[] = []
  const text = `select row_to_json(m)::text as line from outgoing_mail m where email = 'twice@example.com'`
  mailServer.beforeAnswer = async () => {
    rows.push(...(await server.db.many({ name: undefined, text, values: [] })))
  }
  const { body } = await inviteByOwner('twice@example.com')
  await expect.poll(() => statusOf(body.id)).toBe('sent')
  mailServer.beforeAnswer = async () => {}
  // The row as it was when the mail server had the mail: a killed process leaves it like this.
  const [{ line }] = rows as [{ line: string }]
  const put = `update outgoing_mail m set status = o.status, details = o.details, link = o.link, link_key_id = o.link_key_id
    from json_populate_record(null::outgoing_mail, $1) o where m.id = o.id`
  await server.db.run({ name: undefined, text: put, values: [line] })
  server.clock.advance(RETRY)
  await arrived('twice@example.com', 2)
  const mails = mailServer.to('twice@example.com')
  expect(new Set(mails.map(({ headers }) => headers.get('message-id')?.[0])).size).toBe(1)
  expect(mails.map((mail) => linkIn(mail.text))).toEqual([body.url, body.url])
})

it('two processes never send one mail at the same time', async () => {
  await mailServer.close()
  await inviteByOwner('claimed@example.com')
  const now = new Date(server.clock.now().getTime() + 2 * HOUR)
  const claims = await Promise.all([1, 2, 3].map(() => claimMails(server.db, now, 100, 10)))
  const ids = claims.flat().map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
  await mailServer.open()
})

describe('a company', () => {
  it('cannot mail one address again and again, and is told so', async () => {
    const mails = []
    for (let count = 0; count <= LINKS_PER_ADDRESS; count += 1)
      mails.push((await inviteByOwner('victim@example.com')).body)
    expect(mails.map(({ mail }) => mail)).toEqual([
      ...Array.from({ length: LINKS_PER_ADDRESS }, () => 'waiting'),
      'limited',
    ])
    // The link is shown in any case.
    expect(mails.at(-1)?.url).toContain('/sign-in#')
  })

  it('cannot mail many addresses, and another company still can', async () => {
    const flooding = await join(server, 'owner', await server.createCompany())
    const mails = []
    for (let count = 0; count < LINKS_PER_COMPANY; count += 1)
      mails.push((await inviteByOwner(`stranger-${count}@example.com`, flooding)).body.mail)
    // Its own owner was invited too.
    expect(mails.filter((mail) => mail === 'waiting')).toHaveLength(LINKS_PER_COMPANY - 1)
    expect(mails.at(-1)).toBe('limited')
    expect((await inviteByOwner('colleague@example.com')).body.mail).toBe('waiting')
  })

  it('cannot write headers or texts of its own with its name', async () => {
    const name = 'Evil\r\nBcc: all@example.com\r\n\r\n<b>Pay here</b> https://evil.example'
    const hostile = await server.createCompany()
    // The API refuses such a name, so it is written past it.
    await server.db.run({
      name: undefined,
      text: 'update company set name = $2 where id = $1',
      values: [hostile.id, name],
    })
    const { email } = await invite(server, 'owner', { company: hostile })
    await arrived(email)
    const [mail] = mailServer.to(email)
    expect(mail?.to).toEqual([email])
    expect(mail?.headers.has('bcc')).toBe(false)
    expect(mail?.subject).toBe('Your invitation to Evil Bcc: all@example.com <b>Pay here</b> https://evil.example')
    expect(mail?.raw.slice(mail.raw.indexOf('<!doctype'))).not.toContain('<b>')
  })
})
