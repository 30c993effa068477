// The address of a client behind proxies. Only addresses that a trusted proxy wrote into X-Forwarded-For count: a client
// can send the header too, and its own entries stand to the left of what the proxies append.
import { BlockList, isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Which proxies are believed: so many in a row in front of this server, or those in these networks. */
export type TrustedProxies = { readonly hops: number } | { readonly networks: BlockList }

export const NO_PROXIES: TrustedProxies = { hops: 0 }

/** A chain of more proxies than this is a mistake in the setting. */
export const HOPS_MAX = 10

/** Undefined when the text is neither a number of proxies nor a list of addresses and networks. */
export function findTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d{1,2}$/.test(text)) return Number(text) <= HOPS_MAX ? { hops: Number(text) } : undefined
  const networks = new BlockList()
  const isList = text.split(',').every((part) => addNetwork(networks, part.trim()))
  return isList ? { networks } : undefined
}

function addNetwork(networks: BlockList, text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const bitsMax = family === 'ipv4' ? 32 : 128
  // A zone, as in fe80::1%eth0, would be ignored, so that more than the text says would be trusted.
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > bitsMax)) return false
  networks.addSubnet(address, bits === undefined ? bitsMax : Number(bits), family)
  return true
}

/**
 * Returns the address of the nearest peer that is not a trusted proxy, reading X-Forwarded-For from its end. An entry that
 * is not an IP address is ignored, with everything before it: then the peer that wrote it is as far as we know.
 */
export function clientAddress(
  trusted: TrustedProxies,
  peer: { readonly address: string | undefined; readonly forwardedFor: string | undefined },
): string {
  let address = plainAddress(peer.address ?? '') ?? ''
  if (peer.forwardedFor === undefined || ('hops' in trusted && trusted.hops === 0)) return address
  const entries = peer.forwardedFor.split(',')
  for (let hop = 0; isTrusted(trusted, address, hop); hop += 1) {
    const next = plainAddress(entries[entries.length - 1 - hop]?.trim() ?? '')
    if (next === undefined) return address
    address = next
  }
  return address
}

/** Reports whether a trusted proxy says that the client reached it over TLS. The last entry is the nearest proxy's. */
export function isForwardedSecure(
  trusted: TrustedProxies,
  peer: { readonly address: string | undefined; readonly forwardedProto: string | undefined },
): boolean {
  if (peer.forwardedProto?.split(',').at(-1)?.trim().toLowerCase() !== 'https') return false
  return isTrusted(trusted, plainAddress(peer.address ?? '') ?? '', 0)
}

/** Reports whether a connection from this address is one of a trusted proxy. */
export function isTrustedPeer(trusted: TrustedProxies, address: string): boolean {
  return isTrusted(trusted, plainAddress(address) ?? '', 0)
}

function isTrusted(trusted: TrustedProxies, address: string, hop: number): boolean {
  if ('hops' in trusted) return hop < trusted.hops
  return isIP(address) !== 0 && trusted.networks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/**
 * Some proxies write a port behind the address, and IPv6 addresses in brackets. IPv4 in IPv6 notation becomes IPv4. The zone of an
 * address (fe80::1%eth0) is left out: it means something only on the machine that wrote it, and would make two addresses of one.
 */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  if (isIP(bare) === 0) return undefined
  if (isIPv4(bare)) return bare
  const address = ipaddr.IPv6.parse(bare)
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : bare.split('%', 1)[0]
}

/** What one customer of an internet provider has at least: a host picks any address in it. */
const NETWORK_BITS = 64

/**
 * Returns what a client's address counts as wherever clients are counted: an IPv4 address is itself, and an IPv6 address is its
 * network of 64 bits, because one host has 2^64 addresses to choose from. An address of a translator (64:ff9b::/96) counts as
 * the IPv4 address in it; otherwise all clients behind translators would be one.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  const bytes = parsed.toByteArray()
  if (parsed.range() === 'rfc6052') return bytes.slice(12).join('.')
  const network = ipaddr.fromByteArray(bytes.map((byte, index) => (index < NETWORK_BITS / 8 ? byte : 0)))
  return `${network.toString()}/${NETWORK_BITS}`
}
