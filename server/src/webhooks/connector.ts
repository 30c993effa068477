// Opens the connections of deliveries. It checks the addresses of the same lookup whose answer is dialled, so that a name
// cannot mean one address when it is checked and another when it is used.
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Agent, buildConnector } from 'undici'
import { isLocalName, isNeverAllowed, isPublicAddress } from './address.ts'
import { NameNotResolvedError, type Resolve, type ResolvedAddress } from './resolver.ts'
import { bareHost, type UrlRules } from './url.ts'

export class ForbiddenAddressError extends Error {
  override name = 'ForbiddenAddressError'
  readonly code = 'ADDRESS_NOT_ALLOWED'
}

export interface ConnectorOptions extends UrlRules {
  readonly resolve: Resolve
  /** Opens sockets; a test watches what is dialled. */
  readonly dial?: (options: buildConnector.BuildOptions) => buildConnector.connector
  /** The addresses of this machine; those of its network interfaces by default. */
  readonly ownAddresses?: () => readonly string[]
}

/** Well inside the deadline of an attempt, so that another address of the name can still be tried. */
const CONNECT_TIMEOUT_MS = 10_000

function createConnector(
  options: ConnectorOptions,
  dial: (options: buildConnector.BuildOptions) => buildConnector.connector,
): buildConnector.connector {
  const { resolve, allowPrivateAddresses, ownHosts, ownAddresses = listOwnAddresses } = options
  const requireAllowed = (addresses: readonly ResolvedAddress[]) => {
    if (addresses.some(({ address }) => isNeverAllowed(address))) throw forbidden()
    if (allowPrivateAddresses) return
    const own = new Set([...ownHosts, ...ownAddresses()])
    // One forbidden address refuses the whole name, because the name's owner does not control which one is dialled.
    if (!addresses.every(({ address }) => isPublicAddress(address) && !own.has(address))) throw forbidden()
  }
  const findAddresses = async (hostname: string): Promise<[ResolvedAddress, ...ResolvedAddress[]]> => {
    const [first, ...rest] = await resolve(hostname)
    if (first === undefined) throw new NameNotResolvedError('ENOTFOUND')
    requireAllowed([first, ...rest])
    return [first, ...rest]
  }
  const lookUp = async (...[hostname, wanted, callback]: Parameters<LookupFunction>) => {
    let addresses: [ResolvedAddress, ...ResolvedAddress[]]
    try {
      addresses = await findAddresses(hostname)
    } catch (error) {
      callback(error as NodeJS.ErrnoException, '', 0)
      return
    }
    if (wanted.all === true) callback(null, addresses)
    else callback(null, addresses[0].address, addresses[0].family)
  }
  const lookup: LookupFunction = (...request) => void lookUp(...request)
  const connect = dial({ lookup, timeout: CONNECT_TIMEOUT_MS, autoSelectFamily: true })
  return (target, callback) => {
    const host = bareHost(target.hostname)
    try {
      // Sockets do not look up literal addresses, so those are checked here.
      if (isIP(host) !== 0) requireAllowed([{ address: host, family: isIP(host) }])
      else if (!allowPrivateAddresses && (isLocalName(host) || ownHosts.includes(host))) throw forbidden()
    } catch (error) {
      callback(error as Error, null)
      return
    }
    connect(target, callback)
  }
}

/**
 * Returns the HTTP client of deliveries. A delivery has one deadline over everything, so the client has none of its own.
 * undici is loaded here and not with the program: a process that delivers nothing does not pay for its 6 MB.
 */
export async function createAgent(options: ConnectorOptions): Promise<Agent> {
  const undici = await import('undici')
  const connect = createConnector(options, options.dial ?? undici.buildConnector)
  return new undici.Agent({ connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 })
}

export function listOwnAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? [])
}

/** Does not name the address, because clients must not learn what a name resolves to inside this network. */
function forbidden(): ForbiddenAddressError {
  return new ForbiddenAddressError('the address is not a public one')
}
