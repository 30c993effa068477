// The settings of e-mail: what is refused, what is shown, and that a server with and without them says the truth.
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig, listSettings } from '../../src/config/config.ts'
import { openTransport } from '../../src/mail/transport.ts'
import { checkMail } from '../../src/cli/maintenance/doctor/machine.ts'
import { invite, join } from '../api/people/people.ts'
import { TestServer } from '../support/harness.ts'
import { MailServer, SMTP_PASSWORD } from '../support/mail-server.ts'

const PUBLIC_URL = 'https://cards.example'
const mailServer = await MailServer.start()
afterAll(() => mailServer.close())

describe('the settings', () => {
  const COMPLETE = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'Cards <cards@example.com>', PUBLIC_URL }
  it.each<[string, Record<string, string>, string]>([
    ['another protocol', { SMTP_URL: 'http://mail.example' }, 'SMTP_URL must be smtp://user:password@host:port'],
    ['a path', { SMTP_URL: 'smtp://mail.example/x' }, 'SMTP_URL must end after the port'],
    [
      'an unknown parameter',
      { SMTP_URL: 'smtp://mail.example?pool=true' },
      'SMTP_URL may have no parameter but sslrootcert',
    ],
    [
      'a user without a password',
      { SMTP_URL: 'smtp://cards@mail.example' },
      'SMTP_URL must have both a user and a password',
    ],
    ['no sender', { MAIL_FROM: '' }, 'SMTP_URL needs MAIL_FROM'],
    ['no public address', { PUBLIC_URL: '' }, 'SMTP_URL needs MAIL_FROM, the sender, and PUBLIC_URL'],
    [
      'a sender with two lines',
      { MAIL_FROM: 'Cards\r\nBcc: x <cards@example.com>' },
      'MAIL_FROM must be an e-mail address',
    ],
    ['two senders', { MAIL_FROM: 'a@example.com, b@example.com' }, 'MAIL_FROM must be an e-mail address'],
  ])('are refused with %s', (_what, change, message) => {
    expect(() => readConfig({ ...COMPLETE, ...change })).toThrow(message)
  })

  it('are accepted with a name and without one', () => {
    expect(readConfig(COMPLETE).mailFrom).toEqual({ name: 'Cards', address: 'cards@example.com' })
    expect(readConfig({ ...COMPLETE, MAIL_FROM: 'cards@example.com' }).mailFrom).toEqual({
      name: '',
      address: 'cards@example.com',
    })
  })

  it('the password is in no message', async () => {
    const smtp = `smtp://cards:wrong-secret@127.0.0.1:${mailServer.port}`
    const wrong = { ...mailServer.settings, PUBLIC_URL, SMTP_URL: smtp }
    const [check] = await checkMail(readConfig(wrong))
    expect(check).toMatchObject({ status: 'warn', message: expect.stringContaining('Invalid user or password') })
    expect(JSON.stringify([check, listSettings(wrong)])).not.toContain('wrong-secret')
    const [right] = await checkMail(readConfig({ ...mailServer.settings, PUBLIC_URL }))
    expect(right).toMatchObject({ status: 'ok' })
    expect(JSON.stringify(right)).not.toContain(encodeURIComponent(SMTP_PASSWORD))
  })
})

it('an attempt ends at its deadline, whatever the mail server does', async () => {
  const config = readConfig({ ...mailServer.settings, PUBLIC_URL })
  mailServer.beforeAnswer = () => new Promise(() => {})
  const from = { name: '', address: 'cards@programme.example' }
  const transport = openTransport({ url: config.secrets.smtpUrl ?? '', from, deadlineMs: 1_000 })
  const attempt = await transport.send({ id: 'one', to: 'a@example.com', subject: 's', text: 't', html: 'h' })
  expect(attempt).toEqual({ outcome: 'failed', reason: 'no answer within 1000 ms' })
  mailServer.beforeAnswer = async () => {}
})

describe('without a mail server', () => {
  it('nothing is queued, links are shown, and nobody is told that something was sent', async () => {
    const server = await TestServer.start()
    try {
      const company = await server.createCompany()
      const owner = await join(server, 'owner', company)
      const made = await owner.post('/api/v1/invitations', { email: 'ada@example.com', role: 'viewer' })
      expect(made.body).toMatchObject({ mail: 'none', url: expect.stringContaining('/sign-in#') })
      await invite(server, 'support')
      const { body } = await owner.get('/console/v1/notifications')
      expect(body).toEqual({ sendsMail: false, reviews: null, lowBalance: true, endpoints: true, keys: true })
      expect(await server.db.many({ name: undefined, text: 'select 1 from outgoing_mail', values: [] })).toEqual([])
    } finally {
      await server.stop()
    }
  })
})
