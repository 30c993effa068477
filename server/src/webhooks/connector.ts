// Opens the connections of deliveries. The address is checked in the very look-up whose answer is dialled, so that a
// name cannot mean one address when it is checked and another when it is used.
import { promises as dns } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Agent, buildConnector } from 'undici'
import { isLocalName, isPublicAddress } from './address.ts'
import { bareHost, type UrlRules } from './url.ts'

export class ForbiddenAddressError extends Error {
  override name = 'ForbiddenAddressError'
  readonly code = 'ADDRESS_NOT_ALLOWED'
}

export interface ResolvedAddress {
  address: string
  family: number
}

export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>

export interface ConnectorOptions extends UrlRules {
  readonly resolve?: Resolve
  /** Of the system by default; a test watches what is dialled. */
  readonly dial?: (options: buildConnector.BuildOptions) => buildConnector.connector
}

/** Well inside the deadline of an attempt, so that another address of the name can still be tried. */
const CONNECT_TIMEOUT_MS = 10_000

const systemResolve: Resolve = (hostname) => dns.lookup(hostname, { all: true, verbatim: true })

function createConnector(
  options: ConnectorOptions,
  dial: (options: buildConnector.BuildOptions) => buildConnector.connector,
): buildConnector.connector {
  const { resolve = systemResolve } = options
  const requireAllowed = (addresses: readonly ResolvedAddress[]) => {
    if (options.allowPrivateAddresses) return
    // One bad address among good ones is enough: which of them is dialled is not up to the name's owner.
    const isAllowed = ({ address }: ResolvedAddress) => isPublicAddress(address) && !isOwnAddress(address)
    if (addresses.length === 0 || !addresses.every(isAllowed)) throw forbidden()
  }
  const findAddresses = async (hostname: string): Promise<[ResolvedAddress, ...ResolvedAddress[]]> => {
    const addresses = await resolve(hostname)
    requireAllowed(addresses)
    const [first, ...rest] = addresses
    if (first === undefined) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
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
      // Sockets do not look literal addresses up: they are checked here.
      if (isIP(host) !== 0) requireAllowed([{ address: host, family: isIP(host) }])
      else if (!options.allowPrivateAddresses && (isLocalName(host) || options.ownHosts.includes(host)))
        throw forbidden()
    } catch (error) {
      callback(error as Error, null)
      return
    }
    connect(target, callback)
  }
}

/**
 * A delivery has one deadline of its own, over everything; connections that idle are closed after a few seconds.
 * The client is loaded here and not with the program: until something is delivered, nobody pays for its 6 MB.
 */
export async function createAgent(options: ConnectorOptions): Promise<Agent> {
  const undici = await import('undici')
  const connect = createConnector(options, options.dial ?? undici.buildConnector)
  return new undici.Agent({ connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 })
}

function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some((own) => own.address === address))
}

/** Without the address: what a name means inside this network is nobody's business outside. */
function forbidden(): ForbiddenAddressError {
  return new ForbiddenAddressError('the address is not a public one')
}
