// Makes one-time links: invitations, new passwords, and the sign-in of the first start. The link is shown once, to whoever makes it, who
// can pass it on, and mailed to its reader if there is a mail server. Its token stands in the fragment, which browsers send to nobody.
import { type Actor, auditRecord } from '../../access/audit.ts'
import type { Role } from '../../access/permissions.ts'
import { rightLost } from '../../access/right.ts'
import { makeToken } from '../../access/tokens.ts'
import { ApiError, notFound, requireFound } from '../../errors.ts'
import { formatId, newId } from '../../lib/ids.ts'
import { must } from '../../lib/invariant.ts'
import { writeLinkMail } from '../../mail/links.ts'
import type { PeopleDeps } from '../deps.ts'
import { normaliseEmail } from '../rules.ts'
import * as queries from './queries.ts'

const DAY_MS = 86_400_000
/** A new colleague may be away for some days; the others are used at once. */
const LIFETIMES_MS = { invitation: 7 * DAY_MS, reset: DAY_MS, sign_in: DAY_MS } as const
const TOKEN_KINDS = { invitation: 'invitation', reset: 'reset', sign_in: 'signin' } as const
/** Open invitations of one company, or of the programme. */
const INVITATIONS_OPEN_MAX = 100

export type LinkDeps = Pick<PeopleDeps, 'db' | 'clock' | 'keyring' | 'baseUrl' | 'mail'>

/** `limited`: too many mails went to this address, or out for this company. `none`: there is no mail server. */
export type LinkMailing = 'waiting' | 'limited' | 'none'

export interface MadeLink {
  readonly url: string
  readonly expiresAt: Date
  readonly mail: LinkMailing
}

function mailingOf(isMailed: boolean | null): LinkMailing {
  if (isMailed === null) return 'none'
  return isMailed ? 'waiting' : 'limited'
}

function newLink({ clock, keyring, baseUrl, mail: server }: LinkDeps, kind: queries.LinkKind, actor: Actor) {
  const createdAt = clock.now()
  const token = makeToken(TOKEN_KINDS[kind])
  const expiresAt = new Date(createdAt.getTime() + LIFETIMES_MS[kind])
  const link = { id: newId(createdAt), digest: keyring.digest(token), createdBy: actor.name, createdAt, expiresAt }
  const url = `${nameHost(baseUrl())}/sign-in#${token}`
  const mailKind = kind === 'invitation' ? 'invitation' : 'reset'
  const mail = server === undefined ? null : writeLinkMail(server.box, mailKind, { id: link.id, url })
  return { link, mail, made: { url, expiresAt } }
}

/** Browsers allow passkeys at localhost, and at no address of digits. */
function nameHost(url: string): string {
  return url.replace(/^http:\/\/(?:127\.0\.0\.1|\[::1\])(?=:|\/|$)/, 'http://localhost')
}

/** Replaces an open invitation of the same person to the same place. */
export async function invite(
  deps: LinkDeps,
  actor: Actor,
  wanted: { email: string; companyId: string | null; role: Role },
): Promise<{ row: queries.InvitationRow; url: string; mail: LinkMailing }> {
  const { db, clock } = deps
  const invitation = { ...wanted, email: normaliseEmail(wanted.email), openMax: INVITATIONS_OPEN_MAX }
  const { link, mail, made } = newLink(deps, 'invitation', actor)
  const line = auditRecord(clock, actor, {
    action: 'invitation.created',
    object: formatId('invt', link.id),
    details: { email: invitation.email, role: invitation.role },
  })
  const { right = null } = actor
  const { outcome, is_mailed: isMailed } = must(await queries.createInvitation(db, link, invitation, right, line, mail))
  switch (outcome) {
    case 'created':
      return { row: must(await queries.findInvitation(db, link.id)), url: made.url, mail: mailingOf(isMailed) }
    case 'not_allowed':
      throw rightLost(right)
    case 'already_member':
      throw new ApiError('already_member', 'This person is already a member. Change their role instead.', {
        param: 'email',
      })
    case 'limit':
      throw new ApiError(
        'invitation_limit',
        `There are ${INVITATIONS_OPEN_MAX} open invitations already. Revoke those that are no longer needed.`,
      )
  }
}

/** `companyId` is the place that the invitation must belong to; undefined: any. */
export async function revokeInvitation(
  { db, clock }: LinkDeps,
  actor: Actor,
  id: string,
  companyId: string | null | undefined,
): Promise<void> {
  const row = requireFound(await queries.findInvitation(db, id))
  if (companyId !== undefined && row.company_id !== companyId) requireFound(undefined)
  const line = auditRecord(clock, actor, {
    action: 'invitation.revoked',
    object: formatId('invt', id),
    details: { email: row.email },
  })
  await queries.revokeInvitation(db, id, clock.now(), line)
}

interface WantedLink {
  readonly personId: string
  readonly kind: 'reset' | 'sign_in'
  /** The company whose owner makes the link, which works while the person belongs to it alone; null for operators. */
  readonly companyId: string | null
  readonly removesSecondFactor: boolean
}

/** Replaces the open links of the person. */
export async function makePersonLink(deps: LinkDeps, actor: Actor, wanted: WantedLink): Promise<MadeLink> {
  const { kind, personId, removesSecondFactor } = wanted
  const { link, mail, made } = newLink(deps, kind, actor)
  const line = auditRecord(deps.clock, actor, {
    action: `${kind}_link.created`,
    object: formatId('per', personId),
    details: removesSecondFactor ? { removesSecondFactor } : {},
  })
  const { right = null } = actor
  const { outcome, is_mailed: isMailed } = must(
    await queries.createPersonLink(deps.db, link, wanted, right, line, mail),
  )
  switch (outcome) {
    case 'created':
      return { ...made, mail: mailingOf(isMailed) }
    case 'not_allowed':
      throw rightLost(right)
    case 'not_found':
      throw notFound()
    case 'out_of_reach':
      throw new ApiError(
        'reset_not_allowed',
        'This person also belongs to another company or to the programme. Ask the operator for a link.',
      )
  }
}
