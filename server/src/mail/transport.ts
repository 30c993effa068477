// Speaks SMTP with the mail server. Every attempt has its own connection and ends at its deadline, whatever the mail server does.
// The password is in no message: the package puts only the server's answers into its errors.
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import { ConfigError } from '../config/config.ts'
import type { MailSender } from '../config/mail-values.ts'
import { isLoopback } from '../config/setting-values.ts'
import { withDeadline } from '../lib/deadline.ts'
import { redactText } from '../lib/sensitive.ts'
import { ATTEMPT_MS_MAX } from './limits.ts'

export interface Message {
  /** Stays the same for every attempt, so that mail programs can show a repeated mail once. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** `refused`: the mail server will never take this mail. `failed`: it may later. */
export type Attempt = { outcome: 'sent' } | { outcome: 'refused' | 'failed'; reason: string }

export interface Transport {
  send(message: Message): Promise<Attempt>
  /** Connects and signs in. Returns why it failed. */
  probe(): Promise<string | undefined>
}

const SUBMISSION_PORT = 587
const TLS_PORT = 465
/** How much of an answer is kept. */
const REASON_LENGTH_MAX = 300

interface Options {
  readonly url: string
  readonly from: MailSender
  readonly deadlineMs?: number | undefined
}

export function openTransport({ url, from, deadlineMs = ATTEMPT_MS_MAX }: Options): Transport {
  const server = describeServer(url)
  const domain = from.address.slice(from.address.indexOf('@') + 1)
  /** Runs on a connection of its own, which is closed at the end or at the deadline. */
  const run = async <Result>(use: (mailer: ReturnType<typeof createTransport>) => Promise<Result>): Promise<Result> => {
    let socket: Socket | undefined
    const mailer = createTransport({
      ...server,
      // Nothing in a mail may make this machine read files or fetch addresses.
      disableFileAccess: true,
      disableUrlAccess: true,
      getSocket: (_options, callback) => {
        socket = connect({ host: server.host, port: server.port })
        socket.once('error', callback)
        socket.once('connect', () => {
          socket?.off('error', callback)
          callback(null, { connection: socket })
        })
      },
    })
    try {
      return await withDeadline(use(mailer), deadlineMs)
    } finally {
      socket?.destroy()
    }
  }
  return {
    async send({ id, to, ...content }) {
      try {
        await run((mailer) =>
          mailer.sendMail({
            ...content,
            from: { name: from.name, address: from.address },
            // As an object, so that nothing in an address is taken for a second one.
            to: { name: '', address: to },
            messageId: `<${id}@${domain}>`,
            headers: { 'Auto-Submitted': 'auto-generated' },
          }),
        )
        return { outcome: 'sent' }
      } catch (error) {
        return { outcome: isFinal(error) ? 'refused' : 'failed', reason: describe(error) }
      }
    },
    async probe() {
      try {
        await run((mailer) => mailer.verify())
        return undefined
      } catch (error) {
        return describe(error)
      }
    },
  }
}

function describeServer(text: string) {
  const url = new URL(text)
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1')
  const secure = url.protocol === 'smtps:'
  const rootPath = url.searchParams.get('sslrootcert')
  return {
    host,
    port: url.port === '' ? (secure ? TLS_PORT : SUBMISSION_PORT) : Number(url.port),
    secure,
    // A mail server on this machine often has no certificate, and nobody can listen there.
    requireTLS: !secure && !isLoopback(host),
    ignoreTLS: !secure && isLoopback(host),
    ...(rootPath === null ? {} : { tls: { ca: readRoot(rootPath) } }),
    ...(url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
  }
}

function readRoot(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`The file in sslrootcert of SMTP_URL cannot be read (${reason}).`)
  }
}

/** The mail server refused this recipient or this mail for good (5xx). Whatever it says to the sign-in can be corrected. */
function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500
}

function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return redactText(text.replaceAll(/\s+/g, ' ')).slice(0, REASON_LENGTH_MAX)
}
