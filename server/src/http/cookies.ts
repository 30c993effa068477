// Reads and writes the cookies of the console. Pages cannot read any of them.
import type { IncomingHttpHeaders } from 'node:http'

interface Named {
  readonly name: string
  readonly isSecure: boolean
}

/** Over TLS the name begins with `__Host-`: then browsers take the cookie from this host only, never from a subdomain. */
const fullName = ({ name, isSecure }: Named) => (isSecure ? `__Host-${name}` : name)

/** Returns the value of a cookie; undefined if the request has none of this name. */
export function findCookie({ cookie }: IncomingHttpHeaders, named: Named): string | undefined {
  const start = `${fullName(named)}=`
  return cookie
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start))
    ?.slice(start.length)
}

/** Returns the value of a Set-Cookie header. An empty value with no time left takes the cookie away. */
export function makeCookie(value: string, { maxAgeSeconds, ...named }: Named & { maxAgeSeconds: number }): string {
  const parts = [`${fullName(named)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${maxAgeSeconds}`]
  return [...parts, ...(named.isSecure ? ['Secure'] : [])].join('; ')
}
