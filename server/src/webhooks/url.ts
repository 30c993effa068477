// The address of an endpoint as it is registered. What a name resolves to is checked when it is dialled, not here.
import { isIP } from 'node:net'
import { ApiError } from '../errors.ts'
import type { Environment } from '../lib/scope.ts'
import { isLocalName, isPublicAddress } from './address.ts'

/** Services that speak other protocols live below; a request must not be able to talk to them. */
const PORT_MIN = 1024
/** The ports that browsers refuse too, as far as they lie above: NFS, SIP, IRC and others. */
const PORTS_REFUSED = new Set([1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667])
for (const port of [6668, 6669, 6679, 6697, 10080]) PORTS_REFUSED.add(port)

export interface UrlRules {
  readonly allowPrivateAddresses: boolean
  /** Names under which this server itself is reached. */
  readonly ownHosts: readonly string[]
}

/** The address in its one normal spelling. */
export function requireUrl(text: string, environment: Environment, rules: UrlRules): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw refuse('must be an absolute URL such as https://example.com/hooks')
  const isPlain = url.protocol === 'http:'
  if (url.protocol !== 'https:' && !isPlain) throw refuse('must begin with https://')
  if (isPlain && environment === 'live') throw refuse('must begin with https:// in live')
  if (url.username !== '' || url.password !== '') throw refuse('must not hold a user name or a password')
  if (url.hash !== '') throw refuse('must not hold a fragment (#…)')
  if (!isAllowedPort(url))
    throw refuse(`must use port 443, ${isPlain ? '80, ' : ''}or one from ${PORT_MIN} on that is not another protocol's`)
  if (!rules.allowPrivateAddresses) requirePublicHost(url.hostname, rules)
  return url.href
}

function isAllowedPort(url: URL): boolean {
  if (url.port === '') return true
  const port = Number(url.port)
  return port === 443 || (port === 80 && url.protocol === 'http:') || (port >= PORT_MIN && !PORTS_REFUSED.has(port))
}

function requirePublicHost(hostname: string, { ownHosts }: UrlRules): void {
  const host = bareHost(hostname)
  const isRefused = isIP(host) === 0 ? isLocalName(host) || ownHosts.includes(host) : !isPublicAddress(host)
  if (isRefused) {
    throw refuse(
      'must be a public address: not this machine, a private network or a reserved range. For development, see WEBHOOK_ALLOW_PRIVATE_ADDRESSES',
    )
  }
}

/** Without the brackets of IPv6 and without the final dot that means the same name. */
export function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
}

function refuse(rule: string): ApiError {
  return new ApiError('webhook_url_refused', `body.url ${rule}.`)
}
