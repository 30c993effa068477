// Checks the URL of a webhook endpoint when it is registered. What its name resolves to is checked when it is dialled, not here.
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { ApiError } from '../errors.ts'
import { isForwarded } from '../config/exposure.ts'
import type { Environment } from '../lib/scope.ts'
import { isLocalName, isNeverAllowed, isPublicAddress } from './address.ts'

/** Services that speak other protocols use the ports below this one. A delivery must not reach them. */
const PORT_MIN = 1024
/** Ports above it that browsers refuse too: NFS, SIP, IRC and others. */
const PORTS_REFUSED = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

export interface UrlRules {
  readonly allowPrivateAddresses: boolean
  /**
   * Whether private addresses are allowed only because the settings say that nothing outside this machine reaches the server.
   * A request that came through a proxy shows that something does.
   */
  readonly isOpenByDefault?: boolean
  /** Names and addresses of this server itself. */
  readonly ownHosts: readonly string[]
}

const HTTPS_IN_LIVE =
  'must begin with https:// in live: events of live money are sent over TLS only. Plain http:// is for the sandbox'

/** Returns the URL in its normal spelling, or refuses it. */
export function requireUrl(text: string, environment: Environment, rules: UrlRules): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw refuse('must be an absolute URL such as https://example.com/hooks')
  const isPlain = url.protocol === 'http:'
  if (url.protocol !== 'https:' && !isPlain)
    throw refuse(environment === 'live' ? HTTPS_IN_LIVE : 'must begin with https://, or in the sandbox with http://')
  if (isPlain && environment === 'live') throw refuse(HTTPS_IN_LIVE)
  if (url.username !== '' || url.password !== '') throw refuse('must not contain a user name or a password')
  if (url.hash !== '') throw refuse('must not contain a fragment (#…)')
  if (!isAllowedPort(url))
    throw refuse(`must use port 443, ${isPlain ? '80, ' : ''}or a port from ${PORT_MIN} up that no other protocol uses`)
  requireAllowedHost(bareHost(url.hostname), rules)
  return url.href
}

/** Refuses any URL: what a name resolves to is known only when it is dialled, and then nobody knows who registered it. */
export function requireNotForwarded({ isOpenByDefault = false }: UrlRules, headers: IncomingHttpHeaders): void {
  if (!isOpenByDefault || !isForwarded(headers)) return
  throw refuse(
    'cannot be set through a proxy while this server lets webhooks reach private addresses. Its operator must set PUBLIC_URL ' +
      '(and TRUST_PROXY), or decide by WEBHOOK_ALLOW_PRIVATE_ADDRESSES',
  )
}

function isAllowedPort(url: URL): boolean {
  if (url.port === '') return true
  const port = Number(url.port)
  return port === 443 || (port === 80 && url.protocol === 'http:') || (port >= PORT_MIN && !PORTS_REFUSED.has(port))
}

function requireAllowedHost(host: string, { allowPrivateAddresses, ownHosts }: UrlRules): void {
  const isAddress = isIP(host) !== 0
  if (isAddress && isNeverAllowed(host)) throw refuse('must not be a link-local address or a metadata service')
  if (allowPrivateAddresses) return
  if (ownHosts.includes(host) || !(isAddress ? isPublicAddress(host) : !isLocalName(host))) {
    throw refuse(
      'must be a public address: not this machine, a private network or a reserved range. For development, see WEBHOOK_ALLOW_PRIVATE_ADDRESSES',
    )
  }
}

/** Returns the host without the brackets of IPv6 and without a final dot, which means the same name. */
export function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
}

function refuse(rule: string): ApiError {
  return new ApiError('webhook_url_refused', `body.url ${rule}.`, { param: 'url' })
}
