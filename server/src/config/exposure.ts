// Decides whether anything outside this machine can reach the server. Two defaults depend on it: whether webhooks may go to
// private addresses, and whether /metrics needs a token.
import type { IncomingHttpHeaders } from 'node:http'
import type { TrustedProxies } from '../lib/client-address.ts'
import { isLoopback } from './setting-values.ts'

export interface Listening {
  readonly host: string
  /** Where /admin and /metrics are served if they have a port of their own. */
  readonly admin: { readonly host: string } | undefined
  readonly publicUrl: string | undefined
  readonly trustedProxies: TrustedProxies
}

/** Reports whether the settings say that only this machine reaches the server, on any of its ports. */
export function isOnlyReachedFromHere(listening: Listening): boolean {
  return isPortLocal(listening) && (listening.admin === undefined || isLoopback(listening.admin.host))
}

/**
 * Reports the same of the port that serves /metrics. PUBLIC_URL and TRUST_PROXY are about PORT: a proxy in front of it does
 * not lead to the operator's port.
 */
export function isMetricsPortLocal(listening: Listening): boolean {
  return listening.admin === undefined ? isPortLocal(listening) : isLoopback(listening.admin.host)
}

function isPortLocal({ host, publicUrl, trustedProxies }: Listening): boolean {
  if (!isLoopback(host) || !('hops' in trustedProxies) || trustedProxies.hops > 0) return false
  return publicUrl === undefined || (URL.canParse(publicUrl) && isLoopback(new URL(publicUrl).hostname))
}

/**
 * Reports whether a request shows that it came through a proxy, whatever the settings say: a proxy added a header, or the
 * client asked for a name that is not this machine's. A proxy that adds nothing and replaces Host cannot be recognised.
 */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  const names = Object.keys(headers)
  if (names.some((name) => PROXY_HEADERS.has(name) || name.startsWith('x-forwarded-'))) return true
  return !isLoopback((headers.host ?? '').replace(/:\d+$/, ''))
}

const PROXY_HEADERS: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
])
