// TLS to the mail server: from the beginning (smtps) and by STARTTLS. Whatever is wrong with it, neither the password nor a mail is sent.
// The address 0.0.0.0 reaches this machine, but is no loopback address, so that the rules for other machines hold.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SMTPServerOptions } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkMail } from '../../src/cli/maintenance/doctor/machine.ts'
import { readConfig } from '../../src/config/config.ts'
import { openTransport } from '../../src/mail/transport.ts'
import { MailServer, SMTP_PASSWORD, SMTP_USER } from '../support/mail-server.ts'
import { ensureProgram } from '../support/programs.ts'

const openssl = ensureProgram({ name: 'openssl', package: 'openssl' })
const ELSEWHERE = '0.0.0.0'
const FROM = { name: '', address: 'cards@programme.example' }
const MAIL = { id: 'one', to: 'ada@example.com', subject: 's', text: 't', html: 'h' }

const folder = mkdtempSync(join(tmpdir(), 'cardstock-smtp-tls-'))
const path = (name: string) => join(folder, name)

/** Makes a key and a certificate that the authority signs, or the authority itself. */
function certify(name: string, more: readonly string[], signer?: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', path(`${name}.key`)]
  const by = signer === undefined ? [] : ['-CA', path(`${signer}.pem`), '-CAkey', path(`${signer}.key`)]
  const about = ['-subj', `/CN=${name}`, '-days', '2', '-out', path(`${name}.pem`)]
  execFileSync(openssl ?? '', ['req', '-x509', ...key, ...by, ...about, ...more], { stdio: 'ignore' })
}

const certificate = (name: string) => ({
  key: readFileSync(path(`${name}.key`)),
  cert: readFileSync(path(`${name}.pem`)),
})

describe.skipIf(openssl === undefined || process.platform !== 'linux')('a mail server on another machine', () => {
  let server: MailServer

  beforeAll(() => {
    certify('ca', [])
    certify('stranger', [])
    for (const [name, address] of [
      ['right', ELSEWHERE],
      ['wrong', '192.0.2.1'],
    ] as const)
      certify(name, ['-addext', `subjectAltName=IP:${address}`, '-addext', 'basicConstraints=CA:FALSE'], 'ca')
  })
  afterEach(() => server.close())
  afterAll(() => rmSync(folder, { recursive: true }))

  const start = async (options: SMTPServerOptions) => {
    server = await MailServer.start({ allowInsecureAuth: false, ...options })
  }
  const urlOf = (protocol: 'smtp' | 'smtps', host: string, root?: string) =>
    `${protocol}://${SMTP_USER}:${encodeURIComponent(SMTP_PASSWORD)}@${host}:${server.port}${
      root === undefined ? '' : `?sslrootcert=${encodeURIComponent(path(`${root}.pem`))}`
    }`
  const send = (url: string) => openTransport({ url, from: FROM }).send(MAIL)
  /** What the server got, and what doctor says about the same address. */
  const result = async (url: string) => {
    const attempt = await send(url)
    const [check] = await checkMail(
      readConfig({ SMTP_URL: url, MAIL_FROM: FROM.address, PUBLIC_URL: 'https://c.example' }),
    )
    return {
      attempt,
      mails: server.mails.length,
      passwords: server.passwords,
      check: check?.status,
      told: check?.message,
    }
  }

  const ways = [
    ['smtps', { secure: true }],
    ['smtp', {}],
  ] as const

  describe.each(ways)('%s', (protocol, options) => {
    it('sends the password and the mail encrypted when the certificate is right', async () => {
      await start({ ...options, ...certificate('right') })
      expect(await send(urlOf(protocol, ELSEWHERE, 'ca'))).toEqual({ outcome: 'sent' })
      // The server takes no password without TLS.
      expect([server.mails.length, server.passwords]).toEqual([1, [SMTP_PASSWORD]])
    })

    it.each([
      ['is for another name', 'wrong', 'ca', /IP: 0\.0\.0\.0 is not in the cert's list/],
      ['is of another authority', 'right', 'stranger', /unable to (?:verify|get)|self.signed/],
      ['is of an authority that nobody named', 'right', undefined, /unable to (?:verify|get)|self.signed/],
    ])('refuses a certificate that %s', async (_what, name, root, reason) => {
      await start({ ...options, ...certificate(name) })
      expect(await result(urlOf(protocol, ELSEWHERE, root))).toMatchObject({
        attempt: { outcome: 'failed', reason: expect.stringMatching(reason) },
        mails: 0,
        passwords: [],
        check: 'warn',
        told: expect.stringMatching(reason),
      })
    })
  })

  it('that offers no STARTTLS gets neither the password nor the mail', async () => {
    await start({ allowInsecureAuth: true, disabledCommands: ['STARTTLS'] })
    expect(await result(urlOf('smtp', ELSEWHERE, 'ca'))).toMatchObject({
      attempt: { outcome: 'failed', reason: expect.stringContaining('STARTTLS') },
      mails: 0,
      passwords: [],
      check: 'warn',
    })
  })

  it('that hides STARTTLS gets neither, even if it would take the password', async () => {
    await start({ allowInsecureAuth: true, hideSTARTTLS: true, ...certificate('wrong') })
    expect(await result(urlOf('smtp', ELSEWHERE, 'ca'))).toMatchObject({
      attempt: { outcome: 'failed' },
      mails: 0,
      passwords: [],
    })
  })

  it('that does not speak TLS on the port of smtps gets nothing', async () => {
    await start({ allowInsecureAuth: true, disabledCommands: ['STARTTLS'] })
    const url = urlOf('smtps', ELSEWHERE, 'ca')
    expect(await result(url)).toMatchObject({ attempt: { outcome: 'failed' }, mails: 0, passwords: [] })
  })

  it('is needed for STARTTLS only: this machine needs no TLS', async () => {
    await start({ allowInsecureAuth: true, disabledCommands: ['STARTTLS'] })
    expect(await send(urlOf('smtp', '127.0.0.1'))).toEqual({ outcome: 'sent' })
    expect(server.mails).toHaveLength(1)
  })
})
