// Writes the mails: a subject, plain text and simple HTML. A mail has no secret but its one-time link, no amounts, which may have
// changed when it is read, and no text that a stranger chose but the name of the company. Pure.
import { escapeHtml } from '../lib/html.ts'
import type { MailKind } from './kinds.ts'

export interface Content {
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Draft {
  readonly subject: string
  readonly lines: readonly string[]
  /** What the link does, and where it leads. */
  readonly action: { readonly label: string; readonly url: string }
  readonly ending: string
}

/** What a row of the queue holds. */
interface Details {
  readonly company?: string | null
  readonly count?: number
  readonly items?: readonly Readonly<Record<string, string>>[]
  readonly expiresAt?: string
}

/** Long enough for a name, and too short for a text. */
const NAME_LENGTH_MAX = 100

export function writeMail(
  kind: MailKind,
  details: Details,
  { baseUrl, link }: { baseUrl: string; link: string | undefined },
): Content {
  return layOut(draftOf(kind, details, { baseUrl, link: link ?? baseUrl }))
}

/** The mail that shows an operator that the settings are right. */
export function writeTestMail(baseUrl: string): Content {
  return layOut({
    subject: 'Test mail from Cardstock',
    lines: ['The mail server works: Cardstock can send e-mail.'],
    action: { label: 'Open the console', url: baseUrl },
    ending: 'An operator requested this e-mail.',
  })
}

const OWN_CHOICE = 'You can turn off these e-mails in the console, under Your account.'

function draftOf(kind: MailKind, details: Details, { baseUrl, link }: { baseUrl: string; link: string }): Draft {
  const company = nameOf(details.company)
  const { count = 0, items = [] } = details
  const more = count > items.length ? [`… and ${count - items.length} more`] : []
  const listed = (line: (item: Readonly<Record<string, string>>) => string) => [
    ...items.map((item) => `• ${line(item)}`),
    ...more,
  ]
  switch (kind) {
    case 'invitation':
      return {
        subject: company === undefined ? 'Your invitation to the card programme' : `Your invitation to ${company}`,
        lines: [
          company === undefined
            ? 'You are invited to join the card programme on Cardstock.'
            : `You are invited to join ${company} on Cardstock.`,
          ...validity(details),
        ],
        action: { label: 'Accept invitation', url: link },
        ending: 'If you did not expect this invitation, you can ignore this e-mail.',
      }
    case 'reset':
      return {
        subject: 'Your link to sign in again',
        lines: [
          'An owner of your company, or an operator, created this link so that you can sign in again.',
          ...validity(details),
        ],
        action: { label: 'Sign in again', url: link },
        ending: 'If you did not ask for this link, do not use it, and tell an owner of your company or the operator.',
      }
    case 'reviews':
      return {
        subject: count === 1 ? 'A review needs a decision' : `${count} reviews need a decision`,
        lines: [
          'An operator has to decide these reviews:',
          ...listed(({ id = '', environment = '' }) => `${id} (${environment})`),
        ],
        action: { label: 'Open reviews', url: `${baseUrl}/operator/reviews` },
        ending: OWN_CHOICE,
      }
    case 'low_balance':
    case 'endpoints':
    case 'keys':
      return companyDraft(kind, { company: company ?? 'your company', count, listed, baseUrl })
  }
}

interface CompanyDraft {
  readonly company: string
  readonly count: number
  readonly baseUrl: string
  listed(line: (item: Readonly<Record<string, string>>) => string): string[]
}

function companyDraft(kind: 'low_balance' | 'endpoints' | 'keys', about: CompanyDraft): Draft {
  const { company, count, listed, baseUrl } = about
  switch (kind) {
    case 'low_balance':
      return {
        subject: `The balance of ${company} is low`,
        lines: [
          `The available balance of ${company} has fallen below the amount that was set for a warning:`,
          ...listed(({ environment = '' }) => `in ${environment}`),
        ],
        action: { label: 'View balance', url: baseUrl },
        ending: OWN_CHOICE,
      }
    case 'endpoints':
      return {
        subject:
          count === 1
            ? `A webhook endpoint of ${company} is failing`
            : `${count} webhook endpoints of ${company} are failing`,
        lines: [
          'Events cannot be delivered:',
          ...listed(({ id = '', environment = '', state = '', since = '' }) =>
            state === 'disabled'
              ? `${id} (${environment}) was disabled. It receives no events until somebody enables it.`
              : `${id} (${environment}) has been failing since ${since}. After five days of failures it is disabled.`,
          ),
        ],
        action: { label: 'View endpoints', url: `${baseUrl}/developers/webhooks` },
        ending: OWN_CHOICE,
      }
    case 'keys':
      return {
        subject: count === 1 ? `An API key of ${company} expires soon` : `${count} API keys of ${company} expire soon`,
        lines: [
          'Replace these keys before they stop working:',
          ...listed(
            ({ name = '', last4 = '', environment = '', expiresAt = '' }) =>
              `${nameOf(name) ?? ''} (…${last4}, ${environment}) expires at ${expiresAt}`,
          ),
        ],
        action: { label: 'View keys', url: `${baseUrl}/developers/keys` },
        ending: OWN_CHOICE,
      }
  }
}

function validity({ expiresAt }: Details): string[] {
  return ['The link works once' + (expiresAt === undefined ? '.' : `, until ${showTime(new Date(expiresAt))}.`)]
}

export function showTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** A name in one line: without it, a line break in a name would look like a text of ours. */
function nameOf(name: string | null | undefined): string | undefined {
  const line = name?.replaceAll(/[\p{C}\s]+/gu, ' ').trim() ?? ''
  if (line === '') return undefined
  return line.length <= NAME_LENGTH_MAX ? line : `${line.slice(0, NAME_LENGTH_MAX)}…`
}

function layOut({ subject, lines, action, ending }: Draft): Content {
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')
  const url = escapeHtml(action.url)
  return {
    subject,
    text: [...lines, '', `${action.label}:`, action.url, '', ending, ''].join('\n'),
    html: `<!doctype html>
<html lang="en"><body style="font-family: sans-serif">
${paragraphs}
<p><a href="${url}">${escapeHtml(action.label)}</a></p>
<p style="word-break: break-all; color: #555">${url}</p>
<p style="color: #555">${escapeHtml(ending)}</p>
</body></html>
`,
  }
}
