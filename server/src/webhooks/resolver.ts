// Resolves the names of webhook endpoints over DNS. It must not use dns.lookup: that call blocks one of the four threads
// of libuv, so ten names that never resolve stopped every tenant's deliveries for 75 seconds (measured).
//
// The resolver tells two failures apart. A name that does not exist is the endpoint's fault and counts as a failed
// attempt. A DNS server that answers nobody is our own fault and must not count against any endpoint.
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { createHostsFile, type FindInHosts } from './hosts-file.ts'

export interface ResolvedAddress {
  address: string
  family: number
}

export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>

/** The DNS servers of this machine did not answer. Nothing is known about the name. */
export class ResolverFailureError extends Error {
  override name = 'ResolverFailureError'
  readonly code: string
  constructor(code: string) {
    super(`the DNS servers of this machine did not answer (${code})`)
    this.code = code
  }
}

/** The name has no address, or its own name servers do not answer. */
export class NameNotResolvedError extends Error {
  override name = 'NameNotResolvedError'
  readonly code: string
  constructor(code: string) {
    super(`the name could not be resolved (${code})`)
    this.code = code
  }
}

export interface NameResolver {
  readonly resolve: Resolve
  /** Cancels every lookup in flight. */
  close(): void
}

export interface NameResolverOptions {
  /** `address:port` of DNS servers; those of the system by default. */
  readonly servers?: readonly string[]
  readonly deadlineMs?: number
  readonly findInHosts?: FindInHosts
}

/** Much shorter than the time for the whole delivery, so that there is time left to connect and send. */
const DEADLINE_MS = 5_000
/** A lost packet is sent again after this long. */
const QUERY_TIMEOUT_MS = 1_500
const QUERY_TRIES = 3
/**
 * Lookups in flight per process; each one holds a socket or two. Each is for a delivery in flight, of which a company has at most 84
 * (delivery-slots.ts), so no company can use all of these. Concurrent lookups of a name share one.
 */
const LOOKUPS_MAX = 256
/** After the first family has answered, the other gets this long (RFC 8305 suggests 50 ms; resolvers far away need more). */
const SECOND_FAMILY_MS = 300

/** The name is known not to exist, to have no address, or to be malformed. */
const DEFINITE_CODES = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
/** The DNS server itself could not be reached. */
const UNREACHABLE_CODES = new Set(['ECONNREFUSED', 'ENOMEM', 'EFILE', 'EDESTRUCTION'])

export function createNameResolver(options: NameResolverOptions = {}): NameResolver {
  const { servers, deadlineMs = DEADLINE_MS, findInHosts = createHostsFile() } = options
  const inFlight = new Map<string, Promise<ResolvedAddress[]>>()
  const resolvers = new Set<Resolver>()
  /** When the DNS servers last gave a definite answer about any name. */
  let answeredAtMs = Number.NEGATIVE_INFINITY

  const queryDns = async (hostname: string): Promise<ResolvedAddress[]> => {
    const startedAtMs = performance.now()
    const resolver = new Resolver({ timeout: Math.min(QUERY_TIMEOUT_MS, deadlineMs), tries: QUERY_TRIES })
    if (servers !== undefined) resolver.setServers(servers)
    resolvers.add(resolver)
    const timer = setTimeout(() => resolver.cancel(), deadlineMs)
    try {
      const outcome = await queryBothFamilies(resolver, hostname)
      if (outcome.addresses.length > 0 || outcome.isDefinite) answeredAtMs = performance.now()
      if (outcome.addresses.length > 0) return outcome.addresses
      // If the DNS servers answered another lookup in the meantime, they work, and this name's own servers are at fault.
      const isServersFault = UNREACHABLE_CODES.has(outcome.code) || answeredAtMs < startedAtMs
      if (!outcome.isDefinite && isServersFault) throw new ResolverFailureError(outcome.code)
      throw new NameNotResolvedError(outcome.code)
    } finally {
      clearTimeout(timer)
      resolver.cancel()
      resolvers.delete(resolver)
    }
  }
  const lookUp = async (hostname: string): Promise<ResolvedAddress[]> => {
    const known = await findInHosts(hostname)
    if (known.length > 0) return known.map((address) => ({ address, family: isIP(address) }))
    // RFC 6761: these names are this machine, whatever a DNS server says.
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return LOOPBACK
    return queryDns(hostname)
  }
  return {
    resolve(hostname) {
      const name = hostname.toLowerCase()
      const shared = inFlight.get(name)
      if (shared !== undefined) return shared
      if (inFlight.size >= LOOKUPS_MAX) return Promise.reject(new ResolverFailureError('EBUSY'))
      const lookup = lookUp(name).finally(() => inFlight.delete(name))
      inFlight.set(name, lookup)
      return lookup
    },
    close() {
      for (const resolver of resolvers) resolver.cancel()
    },
  }
}

const LOOPBACK: ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

interface DnsOutcome {
  readonly addresses: ResolvedAddress[]
  /** Whether the DNS servers said something about the name, if only that it has no address. */
  readonly isDefinite: boolean
  readonly code: string
}

/** Asks for IPv4 and IPv6 addresses at the same time. Once one family has addresses, it waits only briefly for the other. */
async function queryBothFamilies(resolver: Resolver, hostname: string): Promise<DnsOutcome> {
  const found: DnsOutcome[] = []
  const query = async (family: 4 | 6) => {
    const outcome = await queryFamily(resolver, hostname, family)
    found[family === 4 ? 0 : 1] = outcome
    return outcome
  }
  const both = [query(4), query(6)]
  const first = await Promise.race(both)
  if (first.addresses.length > 0) await settleWithin(Promise.all(both), SECOND_FAMILY_MS)
  else await Promise.all(both)
  const outcomes = found.filter((outcome) => outcome !== undefined)
  const failure = outcomes.find(({ isDefinite }) => !isDefinite)
  const missing = outcomes.find(({ code }) => code === 'ENOTFOUND') ?? outcomes.find(({ isDefinite }) => isDefinite)
  return {
    addresses: outcomes.flatMap(({ addresses }) => addresses),
    // A name without addresses of one family may have some of the other, but a name that does not exist has none at all.
    isDefinite: failure === undefined || missing?.code === 'ENOTFOUND',
    code: (missing?.code === 'ENOTFOUND' ? missing : (failure ?? missing))?.code ?? 'ENOTFOUND',
  }
}

async function queryFamily(resolver: Resolver, hostname: string, family: 4 | 6): Promise<DnsOutcome> {
  try {
    const list = family === 4 ? await resolver.resolve4(hostname) : await resolver.resolve6(hostname)
    return { addresses: list.map((address) => ({ address, family })), isDefinite: true, code: '' }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN'
    return { addresses: [], isDefinite: DEFINITE_CODES.has(code), code }
  }
}

async function settleWithin(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
