// Decides which addresses a delivery may go to. Everything special, reserved, or able to carry another address inside is
// refused, because an address that cannot be judged cannot be allowed. Pure.
import ipaddr from 'ipaddr.js'

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** IPv6 global unicast. Everything outside it is special or not assigned yet. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/**
 * Refused whatever the settings say: link-local addresses and the metadata services of clouds. They hand out the
 * credentials of the machine, and no receiver of webhooks lives there, not even in development.
 */
const NEVER_ALLOWED = networks(
  '169.254.0.0/16', // link-local, and 169.254.169.254 of most clouds
  'fe80::/10', // link-local
  'fd00:ec2::/32', // Amazon's metadata and time services
  'fd20:ce::/32', // Google's metadata service
  'fd00:42::42/128', // Scaleway's metadata service
  '168.63.129.16/32', // Azure's host agent
  '100.100.100.200/32', // Alibaba's metadata service
  '192.0.0.192/32', // Oracle's metadata service
)

/** Ranges whose last four bytes are an IPv4 address that the packet is delivered to. */
const IPV4_CARRIERS = networks('::ffff:0:0/96', '::/96', '::ffff:0:0:0/96', '64:ff9b::/96')
const SIX_TO_FOUR = networks('2002::/16')

/** Returns whether the text is an address on the public internet. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false
  const address = ipaddr.parse(text)
  // The library knows the special ranges of both families, 6to4, Teredo and NAT64 among them.
  if (address.range() !== 'unicast' || isIn(NEVER_ALLOWED, address)) return false
  if (address instanceof ipaddr.IPv4) return true
  return address.match(GLOBAL_UNICAST) && !isIsatap(address)
}

/** Returns whether the address must not be dialled even where private addresses are allowed. */
export function isNeverAllowed(text: string): boolean {
  const [plain = ''] = text.split('%', 1)
  if (!ipaddr.isValid(plain)) return true
  const address = ipaddr.parse(plain)
  if (isIn(NEVER_ALLOWED, address)) return true
  if (address instanceof ipaddr.IPv4) return false
  const inner = findInnerIPv4(address)
  return inner !== undefined && isIn(NEVER_ALLOWED, inner)
}

function networks(...blocks: string[]): Network[] {
  return blocks.map((block) => ipaddr.parseCIDR(block))
}

function isIn(blocks: readonly Network[], address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return blocks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

function findInnerIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray()
  if (isIn(SIX_TO_FOUR, address)) return new ipaddr.IPv4(bytes.slice(2, 6))
  return isIn(IPV4_CARRIERS, address) || isIsatap(address) ? new ipaddr.IPv4(bytes.slice(-4)) : undefined
}

/** RFC 5214: the last four bytes are an IPv4 address after 00-00-5E-FE or 02-00-5E-FE, under any prefix. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , high = 0, low = 0] = address.parts
  return (high & ~0x0200) === 0 && low === 0x5efe
}

/** Names that mean this machine or this network, whatever a DNS server says. */
const LOCAL_NAME = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)$/

export function isLocalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '')
  return name === '' || LOCAL_NAME.test(name) || !name.includes('.')
}
