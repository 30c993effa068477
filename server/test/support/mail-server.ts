// A real SMTP server on loopback that keeps what it takes, and that can refuse or be away.
import { once } from 'node:events'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { findFreePort } from './free-port.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** As they arrived, by their names in lower case; folded lines are joined. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly subject: string
  readonly text: string
  readonly raw: string
}

export const SMTP_USER = 'cards'
export const SMTP_PASSWORD = 'p@ss word/of the server'

export class MailServer {
  readonly port: number
  readonly mails: ReceivedMail[] = []
  /** Called with each recipient; an error refuses it. */
  refuse: (address: string) => Error | undefined = () => undefined
  /** Called when a mail has arrived and before it is acknowledged. */
  beforeAnswer: () => Promise<void> = async () => {}
  /** The passwords that clients sent, also wrong ones. */
  readonly passwords: string[] = []
  #server: SMTPServer | undefined
  readonly #options: SMTPServerOptions

  private constructor(port: number, options: SMTPServerOptions) {
    this.port = port
    this.#options = options
  }

  /** Without options it speaks no TLS. */
  static async start(options: SMTPServerOptions = { disabledCommands: ['STARTTLS'] }): Promise<MailServer> {
    const server = new MailServer(await findFreePort(), options)
    await server.open()
    return server
  }

  get settings(): Record<string, string> {
    const user = `${encodeURIComponent(SMTP_USER)}:${encodeURIComponent(SMTP_PASSWORD)}`
    return { SMTP_URL: `smtp://${user}@127.0.0.1:${this.port}`, MAIL_FROM: 'Cards <cards@programme.example>' }
  }

  async open(): Promise<void> {
    const server = new SMTPServer({
      authOptional: false,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      ...this.#options,
      onAuth: ({ username, password }, _session, done) => {
        this.passwords.push(password ?? '')
        if (username === SMTP_USER && password === SMTP_PASSWORD) done(null, { user: username })
        else done(new Error('Invalid user or password'))
      },
      onRcptTo: ({ address }, _session, done) => done(this.refuse(address) ?? null),
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
          const to = envelope.rcptTo.map(({ address }) => address)
          this.mails.push(readMail(Buffer.concat(chunks).toString('utf8'), { from, to }))
          void this.#answer(done)
        })
      },
    })
    // A client that is killed breaks its connection.
    server.on('error', () => {})
    this.#server = server
    server.listen(this.port, '127.0.0.1')
    await once(server.server, 'listening')
  }

  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  async #answer(done: () => void): Promise<void> {
    await this.beforeAnswer()
    done()
  }

  to(address: string): ReceivedMail[] {
    return this.mails.filter(({ to }) => to.includes(address))
  }
}

function readMail(raw: string, envelope: { from: string; to: readonly string[] }): ReceivedMail {
  const { headers, body } = splitPart(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '')?.[1]
  const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`).map((part) => part.trimStart())
  const plain = parts.map(splitPart).find((part) => part.headers.get('content-type')?.[0]?.startsWith('text/plain'))
  const subject = decodeWords(headers.get('subject')?.[0] ?? '')
  return {
    ...envelope,
    headers,
    subject,
    text: plain === undefined ? '' : decodeBody(plain).replaceAll('\r\n', '\n'),
    raw,
  }
}

function splitPart(raw: string) {
  const end = raw.indexOf('\r\n\r\n')
  const headers = new Map<string, string[]>()
  for (const line of raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  return { headers, body: raw.slice(end + 4) }
}

function decodeBody({ headers, body }: ReturnType<typeof splitPart>): string {
  const encoding = headers.get('content-transfer-encoding')?.[0]
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  return encoding === 'quoted-printable' ? decodeQuoted(body.replaceAll('=\r\n', '')) : body
}

function decodeQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function decodeWords(text: string): string {
  return text
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuoted(word.replaceAll('_', ' ')),
    )
}
