// How a request names its session and its company: the cookie, and the headers Cardstock-Company and Cardstock-Environment.
import type { IncomingHttpHeaders } from 'node:http'
import type { MemberCompany, Session } from '../access/session.ts'
import { findTokenKind } from '../access/tokens.ts'
import { ApiError } from '../errors.ts'
import { findId } from '../lib/ids.ts'
import { type Environment, ENVIRONMENTS } from '../lib/scope.ts'
import { findCookie, makeCookie } from './cookies.ts'

const COOKIE = 'cardstock_session'

/** Returns the token of a session if the cookie holds a well-formed one. */
export function findSessionToken(
  headers: IncomingHttpHeaders,
  { isSecure }: { readonly isSecure: boolean },
): string | undefined {
  const token = findCookie(headers, { name: COOKIE, isSecure })
  return token !== undefined && findTokenKind(token) === 'session' ? token : undefined
}

/** Returns the header that gives the browser its session, or with an empty token takes it away. */
export function sessionCookie(
  token: string,
  { isSecure, maxAgeSeconds }: { isSecure: boolean; maxAgeSeconds: number },
): { 'set-cookie': string } {
  return { 'set-cookie': makeCookie(token, { name: COOKIE, isSecure, maxAgeSeconds }) }
}

export function invalidSession(): ApiError {
  return new ApiError('invalid_session', 'You are not signed in, or your session has ended. Sign in.')
}

export function roleNotAllowed({ programmeRole }: Session): ApiError {
  return new ApiError(
    'role_not_allowed',
    programmeRole === null
      ? 'This is for the operators of the card programme. Ask one of them.'
      : 'The role support can read, but change nothing. Ask an operator.',
  )
}

/** Returns the company and the environment that the request is about. */
export function requireMembership(
  session: Session,
  headers: IncomingHttpHeaders,
): { company: MemberCompany; environment: Environment } {
  const environment = ENVIRONMENTS.find((name) => name === headers['cardstock-environment'])
  if (environment === undefined) {
    throw new ApiError('validation_failed', 'Send the header Cardstock-Environment with the value sandbox or live.', {
      param: 'Cardstock-Environment',
    })
  }
  return { company: requireCompany(session, headers['cardstock-company']), environment }
}

function requireCompany({ companies }: Session, header: string | string[] | undefined): MemberCompany {
  const [only] = companies
  if (header === undefined && only !== undefined) {
    if (companies.length === 1) return only
    throw new ApiError(
      'validation_failed',
      'You belong to several companies. Send the header Cardstock-Company with the id of one of them.',
      { param: 'Cardstock-Company' },
    )
  }
  const id = findId('co', String(header))
  const company = companies.find((candidate) => candidate.id === id)
  if (company !== undefined) return company
  // The same for a company that does not exist.
  throw new ApiError('membership_required', 'You do not belong to this company. Ask one of its owners to invite you.', {
    param: 'Cardstock-Company',
  })
}
