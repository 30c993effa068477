// The name under which browsers keep passkeys for this server: the domain of PUBLIC_URL, or else of the request's own host.
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { ApiError } from '../../errors.ts'

export interface RelyingParty {
  /** A domain name. A passkey works for this name only. */
  readonly id: string
  /** Where the pages that may ask for a passkey come from. */
  readonly origins: readonly string[]
}

/** Refuses where browsers allow no passkeys: when the server is reached by an IP address. */
export function requireRelyingParty(
  { host }: Pick<IncomingHttpHeaders, 'host'>,
  publicUrl: string | undefined,
): RelyingParty {
  const found = publicUrl === undefined ? fromHost(host ?? '') : fromUrl(new URL(publicUrl))
  if (found !== undefined) return found
  throw new ApiError(
    'passkeys_unavailable',
    'Browsers allow passkeys only where the server has a domain name. Open the console by its name, or at localhost.',
  )
}

function fromUrl({ hostname, origin }: URL): RelyingParty | undefined {
  return isName(hostname) ? { id: hostname, origins: [origin] } : undefined
}

/** Browsers allow passkeys over TLS and on localhost only, so the protocol follows from the name, whatever a proxy tells. */
function fromHost(host: string): RelyingParty | undefined {
  const text = `https://${host}`
  if (!URL.canParse(text)) return undefined
  const { hostname, origin } = new URL(text)
  if (!isName(hostname)) return undefined
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return { id: hostname, origins: isLocal ? [origin, new URL(`http://${host}`).origin] : [origin] }
}

function isName(hostname: string): boolean {
  return hostname !== '' && isIP(hostname) === 0 && !hostname.startsWith('[')
}
