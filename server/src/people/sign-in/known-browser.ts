// Recognises a browser in which a person has signed in before, by a cookie of its own. It gives no rights: its tries are only counted
// apart from those of strangers, so that nobody can keep the person out by sending wrong passwords.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../access/keyring.ts'
import { findCookie, makeCookie } from '../../http/cookies.ts'
import type { BaseCall } from '../../http/route.ts'

const NAME = 'cardstock_browser'
/** Longer than a holiday. Every sign-in begins it again. */
const MAX_AGE_SECONDS = 180 * 86_400
const ID_BYTES = 16

type Deps = { keyring: Pick<Keyring, 'digest'> }
type Request = Pick<BaseCall<never>, 'headers' | 'isSecure'>

/** Returns the id of a browser in which this account has signed in before. An account is a normalised e-mail address. */
export function findKnownBrowser(deps: Deps, { headers, isSecure }: Request, account: string): string | undefined {
  const [id = '', proof = ''] = findCookie(headers, { name: NAME, isSecure })?.split('.') ?? []
  const given = Buffer.from(proof, 'base64url')
  const expected = proofOf(deps, id, account)
  return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined
}

/** Returns the Set-Cookie header that lets the browser be recognised when this account signs in again. */
export function knownBrowserCookie(deps: Deps, request: Request, account: string): string {
  const id = findKnownBrowser(deps, request, account) ?? randomBytes(ID_BYTES).toString('base64url')
  const value = `${id}.${proofOf(deps, id, account).toString('base64url')}`
  return makeCookie(value, { name: NAME, isSecure: request.isSecure, maxAgeSeconds: MAX_AGE_SECONDS })
}

/** The proof is bound to the account: otherwise anybody with an account could make known browsers for others. */
function proofOf({ keyring }: Deps, id: string, account: string): Buffer {
  return keyring.digest(`known browser ${id} ${account}`)
}
