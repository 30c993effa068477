// Decides who is calling and whether they may, in this order: key (401), rate (429), then verification, address, scope and
// capability (403). It runs before the body is read, so that the body of an unauthenticated caller costs nothing.
import { tokenActor } from '../access/audit.ts'
import type { Caller } from '../access/caller.ts'
import type { Keyring, LookUp } from '../access/keyring.ts'
import type { Clock } from '../lib/clock.ts'
import { createAuthenticateSession, type SessionDeps } from './authenticate-session.ts'
import type { Credentials, Identity } from './credentials.ts'
import { readBearer, refuseEnded, refuseKey, refuseOperatorToken, unknownKey, unknownOperatorToken } from './bearer.ts'
import type { BucketStore } from './limits/buckets.ts'
import { createIdentify } from './identify.ts'
import { createLimiters, type Limits, takeRate } from './limits/limiters.ts'
import { requireAccess } from './require-access.ts'
import type { Access } from './route.ts'
import { requireSameOrigin } from './same-origin.ts'
import { findSessionToken } from './session-access.ts'

export type Authenticate = (access: Access, credentials: Credentials) => Promise<Identity>
type CompanyAccess = Extract<Access, { by: 'company' }>

interface Deps extends SessionDeps {
  keyring: Keyring
  clock: Clock
  limits: Limits
  /** Buckets that several processes share, if they do. */
  bucketStore?: BucketStore | undefined
}

/** As nearly all clients write it. The others take the longer way. */
const BEARER = 'Bearer '

const NOBODY: Identity = { caller: undefined, actor: undefined, session: undefined }

async function admitAnyone(
  access: Extract<Access, { by: 'anyone' }>,
  credentials: Credentials,
  publicUrl: string | undefined,
): Promise<Identity> {
  if (access.console === true) requireSameOrigin(credentials, publicUrl)
  return NOBODY
}

export function createAuthenticate(deps: Deps): Authenticate {
  const { keyring, clock, limits, hasLiveIssuer, publicUrl } = deps
  const limiters = createLimiters(limits, deps.bucketStore)
  const { keyLimiter, operatorLimiter, failureLimiter, ownLimiters, changeLimiters } = limiters
  const identify = createIdentify(failureLimiter)
  const bySession = createAuthenticateSession({ ...deps, identify, changeLimiters })
  const limitersOf = ({ rate }: CompanyAccess) => (rate === undefined ? [keyLimiter] : [keyLimiter, ownLimiters[rate]])

  const { callers } = keyring
  const findCaller = async ({ address, headers }: Credentials): Promise<{ token: string; caller: Caller }> => {
    const shown = readBearer(headers)
    if (shown.kind !== 'sandbox' && shown.kind !== 'live') throw await identify.refuse(address, refuseKey(shown.kind))
    const { token } = shown
    return { token, caller: callers.cached(token) ?? (await identify.find(callers, token, address, unknownKey)) }
  }
  const authenticateKey = async (access: CompanyAccess, credentials: Credentials): Promise<Identity> => {
    const { address } = credentials
    const { token, caller } = findCached(callers, credentials) ?? (await findCaller(credentials))
    const refusal = refuseEnded(caller, clock.now())
    if (refusal !== undefined) throw await identify.refuse(address, refusal)
    await takeRate(limitersOf(access), keyIdOf(caller), credentials)
    requireAccess(caller, access, { address, hasLiveIssuer })
    const again = async () => callers.cached(token) ?? (await callers.now(token))
    const recheck = async () => requireStill(await again(), access, { now: clock.now(), address, hasLiveIssuer })
    return { caller, actor: undefined, session: undefined, recheck }
  }

  const authenticateToken = async (credentials: Credentials): Promise<Identity> => {
    const { address, requestId } = credentials
    const shown = readBearer(credentials.headers)
    if (shown.kind !== 'operator') throw await identify.refuse(address, refuseOperatorToken(shown.kind))
    const { token } = shown
    const { operators } = keyring
    const found = operators.cached(token) ?? (await identify.find(operators, token, address, unknownOperatorToken))
    await takeRate([operatorLimiter], found.id, credentials)
    const actor = { ...tokenActor(found, { address, requestId }), right: { tokenId: found.id } }
    return { caller: undefined, actor, session: undefined }
  }

  return (access, credentials) => {
    switch (access.by) {
      case 'company':
        return usesSession(credentials)
          ? bySession.member(access, credentials, limitersOf(access))
          : authenticateKey(access, credentials)
      case 'member':
        return bySession.member(access, credentials, [keyLimiter])
      case 'operator':
        return usesSession(credentials)
          ? bySession.operator(credentials, [operatorLimiter])
          : authenticateToken(credentials)
      case 'person':
        return bySession.person(access, credentials, [keyLimiter])
      case 'anyone':
        return admitAnyone(access, credentials, publicUrl)
    }
  }
}

/** Returns a key that the cache knows. It has been read before, so its form and its checksum are right. */
function findCached(
  callers: LookUp<Caller>,
  { headers: { authorization = '' } }: Credentials,
): { token: string; caller: Caller } | undefined {
  if (!authorization.startsWith(BEARER)) return undefined
  const token = authorization.slice(BEARER.length)
  const caller = callers.cached(token)
  return caller && { token, caller }
}

/** A key that is sent counts, whatever cookies come with it. */
function usesSession({ headers, isSecure }: Credentials): boolean {
  return headers.authorization === undefined && findSessionToken(headers, { isSecure }) !== undefined
}

/** Refuses a caller that was admitted before and may not make this call any more. */
function requireStill(
  caller: Caller | undefined,
  access: CompanyAccess,
  { now, ...context }: { now: Date; address: string; hasLiveIssuer: boolean },
): void {
  if (caller === undefined) throw unknownKey()
  const refusal = refuseEnded(caller, now)
  if (refusal !== undefined) throw refusal
  requireAccess(caller, access, context)
}

function keyIdOf({ by }: Caller): string {
  return 'keyId' in by ? by.keyId : by.personId
}
