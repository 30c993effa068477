// Which addresses a delivery may go to: public ones only. Anything special, reserved, or that carries another address
// inside is refused, for what cannot be judged cannot be allowed. Pure.
import ipaddr from 'ipaddr.js'

/** Global unicast; everything outside is special or not handed out yet. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/** Special blocks that the library counts as ordinary, and addresses of clouds' own services in public space. */
const REFUSED = [
  '192.88.99.0/24', // 6to4 relays
  '168.63.129.16/32', // Azure's host
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarking
  '2002::/16', // 6to4
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation
  '2620:4f:8000::/48', // AS112
].map((block) => ipaddr.parseCIDR(block))

export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (REFUSED.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))) return false
  if (address instanceof ipaddr.IPv4) return true
  return address.match(GLOBAL_UNICAST) && !isIsatap(address)
}

/** RFC 5214: an IPv4 address in the last four bytes, after 00-00-5E-FE or 02-00-5E-FE, under any prefix. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , high = 0, low = 0] = address.parts
  return (high & ~0x0200) === 0 && low === 0x5efe
}

/** Names that mean this machine or this network, whatever a resolver says. */
const LOCAL_NAME = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)$/

export function isLocalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '')
  return name === '' || LOCAL_NAME.test(name) || !name.includes('.')
}
