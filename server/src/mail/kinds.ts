// The kinds of e-mails: the links, which always go out, and the notices, which each person can turn off. Pure.
import type { Role } from '../access/permissions.ts'

export type LinkKind = 'invitation' | 'reset'

export const NOTICE_KINDS = ['reviews', 'low_balance', 'endpoints', 'keys'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]
export type MailKind = LinkKind | NoticeKind

/** Who is told: the roles that can do something about it. */
export const NOTICE_ROLES: Readonly<Record<NoticeKind, readonly Role[]>> = {
  reviews: ['operator'],
  low_balance: ['owner', 'finance'],
  endpoints: ['owner', 'developer'],
  keys: ['owner', 'developer'],
}

/** Returns the kinds that somebody with these roles, anywhere, can get. */
export function noticesFor(roles: readonly Role[]): NoticeKind[] {
  return NOTICE_KINDS.filter((kind) => roles.some((role) => NOTICE_ROLES[kind].includes(role)))
}
