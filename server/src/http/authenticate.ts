// Who is calling, in the contract's order: key (401), rate (429), verification (403), address, scope, capability (403).
// Runs before the body is read, so that a stranger's body costs nothing.
import type { Actor } from '../access/audit.ts'
import { type Caller, isAllowedFrom } from '../access/caller.ts'
import type { Keyring } from '../access/keyring.ts'
import { findTokenKind } from '../access/tokens.ts'
import { ApiError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { createRateLimiter, type RateDecision, type RateLimiter } from './rate-limit.ts'
import type { Access } from './route.ts'

export interface Limits {
  readonly keyPerSecond: number
  readonly keyBurst: number
  readonly statementPerSecond: number
  readonly operatorPerSecond: number
  readonly failedAuthenticationPerMinute: number
}

export interface Credentials {
  readonly authorization: string | undefined
  readonly address: string
  readonly requestId: string
  /** Told as soon as the rate is known, so that refusals after it carry the headers too. */
  announceRate(headers: RateDecision['headers']): void
}

export interface Identity {
  readonly caller: Caller | undefined
  readonly actor: Actor | undefined
}

export type Authenticate = (access: Access, credentials: Credentials) => Promise<Identity>

interface Deps {
  keyring: Keyring
  clock: Clock
  limits: Limits
  /** Whether live operations can be carried out at all on this server. */
  hasLiveIssuer: boolean
}

const NOBODY: Identity = { caller: undefined, actor: undefined }

export function createAuthenticate({ keyring, clock, limits, hasLiveIssuer }: Deps): Authenticate {
  const { keyLimiter, operatorLimiter, failureLimiter, ownLimiters } = createLimiters(limits)
  // Only failures are counted and only failures are refused: a valid key from the same address is never blocked.
  const refuse = (credentials: Credentials, refusal: ApiError) => {
    const decision = failureLimiter.take(credentials.address)
    if (decision.allowed) return refusal
    return new ApiError(
      'rate_limited',
      'Too many failed authentications from this address. Wait, then use a valid key.',
      {
        headers: decision.headers,
      },
    )
  }

  const authenticateCompany = async (access: Extract<Access, { by: 'company' }>, credentials: Credentials) => {
    const token = findBearer(credentials.authorization)
    const kind = token === undefined ? undefined : findTokenKind(token)
    const caller =
      token === undefined || kind === undefined || kind === 'operator' ? undefined : await keyring.findCaller(token)
    const refusal = refuseKey(caller, clock.now())
    if (refusal !== undefined) throw refuse(credentials, refusal)
    const identified = caller as Caller
    const own = access.rate === undefined ? [] : [ownLimiters[access.rate]]
    takeRate([keyLimiter, ...own], identified.keyId, credentials)
    requireAccess(identified, access, { address: credentials.address, hasLiveIssuer })
    return { caller: identified, actor: undefined }
  }

  const authenticateOperator = async (credentials: Credentials) => {
    const token = findBearer(credentials.authorization)
    const tokenId =
      token !== undefined && findTokenKind(token) === 'operator' ? await keyring.findOperator(token) : undefined
    if (tokenId === undefined) {
      const message = 'This call needs the operator token: Authorization: Bearer cstk_operator_…'
      throw refuse(credentials, new ApiError('invalid_operator_token', message, { headers: CHALLENGE }))
    }
    takeRate([operatorLimiter], tokenId, credentials)
    const { address, requestId } = credentials
    return { caller: undefined, actor: { name: `operator ${formatId('key', tokenId)}`, address, requestId } }
  }

  return async (access, credentials) => {
    if (access.by === 'anyone') return NOBODY
    return access.by === 'operator' ? authenticateOperator(credentials) : authenticateCompany(access, credentials)
  }
}

function createLimiters(limits: Limits) {
  const create = (name: string, perSecond: number, burst: number) =>
    createRateLimiter({ name, perSecond, burst }, () => performance.now())
  const { keyPerSecond, keyBurst, statementPerSecond, operatorPerSecond, failedAuthenticationPerMinute } = limits
  return {
    keyLimiter: create('key', keyPerSecond, keyBurst),
    /** Of calls that have a limit of their own, by the name that their route gives. */
    ownLimiters: { statements: create('statements', statementPerSecond, statementPerSecond) },
    operatorLimiter: create('operator', operatorPerSecond, operatorPerSecond * 2),
    failureLimiter: create('failed-authentication', failedAuthenticationPerMinute / 60, failedAuthenticationPerMinute),
  }
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="cardstock"' }

function findBearer(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}

function refuseKey(caller: Caller | undefined, now: Date): ApiError | undefined {
  const options = { headers: CHALLENGE }
  if (caller === undefined) {
    return new ApiError(
      'invalid_api_key',
      'Send a valid API key: Authorization: Bearer cstk_sandbox_… or cstk_live_…',
      options,
    )
  }
  if (caller.revokedAt !== null) {
    return new ApiError('revoked_api_key', 'This API key was revoked. Use another key of the company.', options)
  }
  if (caller.expiresAt !== null && caller.expiresAt <= now) {
    return new ApiError('expired_api_key', 'This API key has expired. Use its successor or create a new key.', options)
  }
  return undefined
}

/** Every policy that applies is announced; the first that is used up refuses. */
function takeRate(limiters: readonly RateLimiter[], key: string, credentials: Credentials): void {
  const announced: Record<string, string> = {}
  let allowed = true
  for (const limiter of limiters) {
    if (!allowed) break
    const decision = limiter.take(key)
    for (const [name, value] of Object.entries(decision.headers)) {
      announced[name] = announced[name] === undefined ? value : `${announced[name]}, ${value}`
    }
    allowed = decision.allowed
  }
  credentials.announceRate(announced)
  if (!allowed) {
    throw new ApiError('rate_limited', 'Too many requests. Wait for Retry-After seconds, then continue more slowly.')
  }
}

function requireAccess(
  caller: Caller,
  access: Extract<Access, { by: 'company' }>,
  context: { address: string; hasLiveIssuer: boolean },
): void {
  if (!caller.verified) {
    throw new ApiError('verification_required', 'The company is not verified yet. Its keys work once it is approved.')
  }
  if (caller.suspended && access.openWhileSuspended !== true) {
    throw new ApiError(
      'company_suspended',
      'The company is suspended: it may read, and freeze and close cards. Ask the operator.',
    )
  }
  if (!isAllowedFrom(caller, context.address)) {
    throw new ApiError(
      'address_not_allowed',
      'This key may not be used from this address. Check its allowed CIDR blocks.',
    )
  }
  if (access.anyOf.length > 0 && !access.anyOf.some((permission) => caller.permissions.has(permission))) {
    throw scopeMissing(access.anyOf)
  }
  if (caller.scope.environment === 'sandbox') return
  if (access.sandboxOnly === true) {
    throw new ApiError('sandbox_only', 'This call exists in the sandbox only. Use a cstk_sandbox_… key.')
  }
  if (access.liveNeeds !== undefined && !(context.hasLiveIssuer && caller.capabilities.has(access.liveNeeds))) {
    throw new ApiError('capability_not_activated', 'The company is not activated for this in live. Ask the operator.')
  }
}

export function scopeMissing(anyOf: readonly string[]): ApiError {
  return new ApiError('scope_missing', `This key lacks the scope ${anyOf.join(' or ')}. Create a key that has it.`)
}
