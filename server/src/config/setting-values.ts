// Turns the text of a setting into its value, or throws an error whose message completes the sentence "<NAME> …".
import { findTrustedProxies, HOPS_MAX, type TrustedProxies } from '../lib/client-address.ts'

export const plainText = (value: string) => value

export const flag = (value: string) => {
  if (value !== 'true' && value !== 'false') throw new TypeError('must be true or false')
  return value === 'true'
}

export const integer = (min: number, max: number) => (value: string) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max)
    throw new TypeError(`must be a whole number from ${min} to ${max}`)
  return number
}

export const trustedProxies = (value: string): TrustedProxies => {
  // What earlier versions took for "no proxy".
  const found = findTrustedProxies(value === 'false' ? '0' : value)
  if (found !== undefined) return found
  throw new TypeError(
    `must be the number of proxies in front of the server (0 to ${HOPS_MAX}; usually 1) or a list of their addresses and networks ` +
      '(10.0.0.0/8, 192.168.1.5); with "true" a client could choose its own address',
  )
}

/** Names and addresses that only this machine can reach. */
export const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)

export const oneOf =
  <Choice extends string>(...choices: Choice[]) =>
  (value: string): Choice => {
    const choice = choices.find((candidate) => candidate === value)
    if (choice === undefined) throw new TypeError(`must be one of ${choices.join(', ')}`)
    return choice
  }

/** The values of `sslmode`, as libpq has them. `no-verify` is the driver's word for `require` without a root certificate. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const
export type SslMode = (typeof SSL_MODES)[number]

export const databaseUrl = (value: string) => {
  if (!/^postgres(ql)?:\/\//.test(value)) throw new TypeError('must begin with postgres://')
  const mode = parametersOf(value).get('sslmode')
  if (mode !== null && !SSL_MODES.some((known) => known === mode))
    throw new TypeError(`has an unknown sslmode: use ${SSL_MODES.slice(0, -1).join(', ')}`)
  return value
}

const parametersOf = (url: string) => new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')

const TLS_VARIABLES = { sslmode: 'PGSSLMODE', sslrootcert: 'PGSSLROOTCERT', sslcert: 'PGSSLCERT', sslkey: 'PGSSLKEY' }

/** Adds what the variables of libpq say about TLS to the address of a database, which wins. */
export function withTlsVariables(
  url: string | undefined,
  environ: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (url === undefined) return undefined
  const given = parametersOf(url)
  const added = new URLSearchParams()
  for (const [name, variable] of Object.entries(TLS_VARIABLES)) {
    const value = environ[variable] ?? ''
    if (value !== '' && !given.has(name)) added.set(name, value)
  }
  if (added.size === 0) return url
  return databaseUrl(`${url}${url.includes('?') ? '&' : '?'}${added.toString()}`)
}

export const redisUrl = (value: string) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'redis:' && url?.protocol !== 'rediss:')
    throw new TypeError('must be redis://user:password@host:port/database, or rediss:// with TLS')
  if (!/^\/?\d*$/.test(url.pathname)) throw new TypeError('must end with the number of a database, such as /0')
  if ([...url.searchParams.keys()].some((name) => name !== 'sslrootcert'))
    throw new TypeError('may have no parameter but sslrootcert, the file with the certificate of your own authority')
  return value
}

/** Returns them with one space between two. age itself checks the rest of each when a backup is made. */
export const recipients = (value: string) => {
  const given = value.trim().split(/[\s,]+/)
  if (!given.every((each) => /^age1[0-9a-z]+$/.test(each)))
    throw new TypeError('must be one or more recipients of age (age1…), separated by spaces')
  return given.join(' ')
}

/** A command that prints 32 random bytes. It needs nothing but Node. */
export const NEW_SECRET = `node -p 'require("crypto").randomBytes(32).toString("hex")'`

/** 32 bytes: the strength of the digests it keys. */
export const secretKey = (value: string) => {
  if (!/^[0-9a-f]{64}$/i.test(value)) throw new TypeError(`must be 64 hexadecimal digits (${NEW_SECRET})`)
  return value
}

/** Allows plain HTTP only to this machine: elsewhere the signatures would still hold, but anyone could read the traffic. */
export const webUrl = (value: string) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(url?.hostname ?? '')
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLocal))
    throw new TypeError('must begin with https:// (http:// only for this machine)')
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    throw new TypeError('must be an address without a query, a fragment or a user')
  return value
}

/** Plain HTTP is allowed everywhere: collectors are usually next to the server, and spans hold no secrets. */
export const collectorUrl = (value: string) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new TypeError('must be an address such as http://127.0.0.1:4318')
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw new TypeError('must be without a query, a fragment or a user; put a token into OTEL_EXPORTER_OTLP_HEADERS')
  return value
}

/** Returns where traces are posted: to the address for traces as it is, or else to a path under the general one. */
export function tracesUrlOf(forTraces: string | undefined, general: string | undefined): string | undefined {
  if (forTraces !== undefined || general === undefined) return forTraces
  return `${general}${general.endsWith('/') ? '' : '/'}v1/traces`
}

export const issuerSecret = (value: string) => {
  if (!/^[\x21-\x7e]{32,}$/.test(value))
    throw new TypeError(`must have at least 32 visible ASCII characters (${NEW_SECRET})`)
  return value
}

/** Long enough that nobody can guess it. */
export const visibleSecret = (value: string) => {
  if (!/^[\x21-\x7e]{16,}$/.test(value)) throw new TypeError('must have at least 16 visible ASCII characters')
  return value
}

/** One or two addresses of nodes. Plain HTTP elsewhere would let anyone on the way invent payments. */
export const nodeUrls = (value: string) => {
  const urls = value.split(',').map((part) => webUrl(part.trim()))
  if (urls.length > 2) throw new TypeError('must be one address or two, separated by a comma')
  return urls.join(',')
}
