// Decides who is calling and whether they may, in this order: key (401), rate (429), then verification, address, scope and
// capability (403). It runs before the body is read, so that the body of an unauthenticated caller costs nothing.
import type { Actor } from '../access/audit.ts'
import { type Caller, isAllowedFrom } from '../access/caller.ts'
import type { Keyring, LookUp } from '../access/keyring.ts'
import { findTokenKind, type TokenKind } from '../access/tokens.ts'
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
  /** Called as soon as the rate is known, so that later refusals have the headers too. */
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
  /** Counts a failure that cost no look-up, and returns the refusal to answer with. */
  const refuse = (credentials: Credentials, refusal: ApiError) => {
    const decision = failureLimiter.take(credentials.address)
    return decision.allowed ? refusal : tooManyFailures(decision)
  }

  /**
   * Looks up a token that the cache does not know. The failure is counted before the look-up, so that concurrent guesses
   * all count; a valid token gives the count back. An address that failed too often causes no query of its own: its
   * tokens are looked up together a few times a second, so that a valid one among them is delayed once, not blocked.
   */
  const identify = async <Value>(lookUp: LookUp<Value>, token: string, address: string, refusal: () => ApiError) => {
    const decision = failureLimiter.take(address)
    let found: Value | undefined
    let isFailure = false
    try {
      found = await (decision.allowed ? lookUp.now(token) : lookUp.later(token))
      isFailure = found === undefined
    } finally {
      if (!isFailure && decision.allowed) failureLimiter.giveBack(address)
    }
    if (found === undefined) throw decision.allowed ? refusal() : tooManyFailures(decision)
    return found
  }

  const authenticateCompany = async (access: Extract<Access, { by: 'company' }>, credentials: Credentials) => {
    const token = findToken(credentials.authorization, (kind) => kind !== 'operator')
    if (token === undefined) throw refuse(credentials, invalidKey())
    const { callers } = keyring
    const caller = callers.cached(token) ?? (await identify(callers, token, credentials.address, invalidKey))
    const refusal = refuseEnded(caller, clock.now())
    if (refusal !== undefined) throw refuse(credentials, refusal)
    const own = access.rate === undefined ? [] : [ownLimiters[access.rate]]
    takeRate([keyLimiter, ...own], caller.keyId, credentials)
    requireAccess(caller, access, { address: credentials.address, hasLiveIssuer })
    return { caller, actor: undefined }
  }

  const authenticateOperator = async (credentials: Credentials) => {
    const token = findToken(credentials.authorization, (kind) => kind === 'operator')
    if (token === undefined) throw refuse(credentials, invalidOperatorToken())
    const { operators } = keyring
    const { address, requestId } = credentials
    const tokenId = operators.cached(token) ?? (await identify(operators, token, address, invalidOperatorToken))
    takeRate([operatorLimiter], tokenId, credentials)
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
    /** For calls that have a separate limit, by the name that their route gives it. */
    ownLimiters: { statements: create('statements', statementPerSecond, statementPerSecond) },
    operatorLimiter: create('operator', operatorPerSecond, operatorPerSecond * 2),
    failureLimiter: create('failed-authentication', failedAuthenticationPerMinute / 60, failedAuthenticationPerMinute),
  }
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="cardstock"' }

/** Returns the bearer token if it is well-formed and of a kind that is wanted. A mistyped one fails its checksum here. */
function findToken(authorization: string | undefined, isWanted: (kind: TokenKind) => boolean): string | undefined {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  const kind = token === undefined ? undefined : findTokenKind(token)
  return kind !== undefined && isWanted(kind) ? token : undefined
}

function invalidKey(): ApiError {
  return new ApiError(
    'invalid_api_key',
    'The API key is missing or unknown. Send a valid one: Authorization: Bearer cstk_sandbox_… or cstk_live_…',
    { headers: CHALLENGE },
  )
}

function invalidOperatorToken(): ApiError {
  return new ApiError(
    'invalid_operator_token',
    'The operator token is missing or unknown. Send it: Authorization: Bearer cstk_operator_…',
    { headers: CHALLENGE },
  )
}

function tooManyFailures({ headers }: RateDecision): ApiError {
  return new ApiError(
    'rate_limited',
    'Too many authentications from this address failed. Wait, then send a valid key.',
    { headers },
  )
}

function refuseEnded(caller: Caller, now: Date): ApiError | undefined {
  if (caller.revokedAt !== null) {
    return new ApiError('revoked_api_key', 'This API key was revoked. Use another key of the company.', {
      headers: CHALLENGE,
    })
  }
  if (caller.expiresAt !== null && caller.expiresAt <= now) {
    return new ApiError('expired_api_key', 'This API key has expired. Use its successor or create a new key.', {
      headers: CHALLENGE,
    })
  }
  return undefined
}

/** States every policy that applies, and refuses the request if one is used up. */
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
    throw new ApiError(
      'rate_limited',
      'Too many requests. Wait as long as Retry-After says, then send them more slowly.',
    )
  }
}

function requireAccess(
  caller: Caller,
  access: Extract<Access, { by: 'company' }>,
  context: { address: string; hasLiveIssuer: boolean },
): void {
  if (!caller.verified) {
    throw new ApiError(
      'verification_required',
      'The company is not verified yet. Its keys work once an operator has approved it.',
    )
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
      'This key may not be used from this address. Check the CIDR blocks that it allows.',
    )
  }
  if (access.anyOf.length > 0 && !access.anyOf.some((permission) => caller.permissions.has(permission))) {
    throw scopeMissing(access.anyOf)
  }
  if (caller.scope.environment === 'sandbox') return
  if (access.sandboxOnly === true) {
    throw new ApiError('sandbox_only', 'This call only exists in the sandbox. Use a cstk_sandbox_… key.')
  }
  if (access.liveNeeds !== undefined && !(context.hasLiveIssuer && caller.capabilities.has(access.liveNeeds))) {
    throw new ApiError(
      'capability_not_activated',
      'The company is not activated for this in live. Ask the operator to activate it.',
    )
  }
}

export function scopeMissing(anyOf: readonly string[]): ApiError {
  return new ApiError(
    'scope_missing',
    `This key does not have the scope ${anyOf.join(' or ')}. Use or create a key that has it.`,
  )
}
