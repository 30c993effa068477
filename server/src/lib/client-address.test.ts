// Which address counts, for every way in which a header can be written by proxies and by clients.
import { describe, expect, it } from 'vitest'
import { clientAddress, findTrustedProxies, networkOf } from './client-address.ts'

const CLIENT = '203.0.113.7'
const PROXY = '10.0.0.1'
const OUTER = '198.51.100.9'

function addressWith(setting: string, address: string, forwardedFor?: string): string {
  const trusted = findTrustedProxies(setting)
  if (trusted === undefined) throw new Error(`${setting} is refused`)
  return clientAddress(trusted, { address, forwardedFor })
}

describe('the setting', () => {
  it.each(['0', '1', '10', '10.0.0.0/8', '10.0.0.1', '::1', '10.0.0.0/8, fd00::/8,192.168.1.5'])(
    '%s is accepted',
    (text) => expect(findTrustedProxies(text)).toBeDefined(),
  )
  it.each([
    'true',
    'yes',
    '',
    '11',
    '-1',
    '1.5',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8,',
    'loopback',
    '1.2.3.4/8/8',
    'fe80::1%eth0',
  ])('"%s" is refused', (text) => expect(findTrustedProxies(text)).toBeUndefined())
})

describe('the address', () => {
  it.each([
    ['nobody is trusted', '0', CLIENT, '1.2.3.4', CLIENT],
    ['there is no header', '1', PROXY, undefined, PROXY],
    ['one proxy appended the client', '1', PROXY, CLIENT, CLIENT],
    ['the client invented entries', '1', PROXY, `1.2.3.4, 5.6.7.8, ${CLIENT}`, CLIENT],
    ['two proxies appended', '2', PROXY, `1.2.3.4, ${CLIENT}, ${OUTER}`, CLIENT],
    ['there are fewer entries than proxies', '3', PROXY, CLIENT, CLIENT],
    ['the last entry is not an address', '1', PROXY, `${CLIENT}, unknown`, PROXY],
    ['the header is empty', '1', PROXY, '', PROXY],
    ['an entry before the client is not an address', '2', PROXY, `<script>, ${CLIENT}`, CLIENT],
    ['the entry has a port', '1', PROXY, `${CLIENT}:4711`, CLIENT],
    ['the entry is IPv6 with a port', '1', PROXY, '[2001:db8::1]:4711', '2001:db8::1'],
    ['the entry is IPv6', '1', PROXY, '2001:db8::1', '2001:db8::1'],
    ['the entry has a zone', '1', PROXY, 'fe80::1%eth0', 'fe80::1'],
    ['the entry has a zone and a port', '1', PROXY, '[fe80::1%eth0]:4711', 'fe80::1'],
    ['the zone of the entry is empty', '1', PROXY, 'fe80::1%', PROXY],
    ['the peer has a zone', '0', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['a trusted proxy has a zone', 'fe80::/64', 'fe80::9%eth0', CLIENT, CLIENT],
    ['the peer is IPv4 in IPv6 notation', '0', `::ffff:${CLIENT}`, undefined, CLIENT],
    ['the entry is IPv4 in IPv6 notation, in hexadecimal', '1', PROXY, '::ffff:cb00:7107', CLIENT],
    ['the peer is in a trusted network', '10.0.0.0/8', PROXY, `1.2.3.4, ${CLIENT}`, CLIENT],
    ['the peer is not in a trusted network', '10.0.0.0/8', OUTER, CLIENT, OUTER],
    ['a chain of trusted networks', `10.0.0.0/8,${OUTER}`, PROXY, `1.2.3.4, ${CLIENT}, ${OUTER}`, CLIENT],
    ['everybody in the chain is trusted', '10.0.0.0/8', PROXY, '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['a trusted network in IPv6 notation', '10.0.0.0/8', `::ffff:${PROXY}`, CLIENT, CLIENT],
  ])('when %s', (_case, setting, peer, header, expected) => expect(addressWith(setting, peer, header)).toBe(expected))
})

describe('a client is counted', () => {
  it.each([
    ['by its IPv4 address', CLIENT, CLIENT],
    ['by its IPv4 address when it is written as IPv6', `::ffff:${CLIENT}`, CLIENT],
    ['by its IPv4 address when it is written as hexadecimal IPv6', '::ffff:cb00:7107', CLIENT],
    ['by its IPv4 address behind a translator', '64:ff9b::cb00:7107', CLIENT],
    ['by the network of its IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['by the network of another notation', '2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['by the network of loopback', '::1', '::/64'],
    ['as nobody without an address', '', ''],
  ])('%s', (_case, address, expected) => expect(networkOf(address)).toBe(expected))

  it('apart from the neighbouring network', () => {
    expect(networkOf('2001:db8:1:3::1')).not.toBe(networkOf('2001:db8:1:2::1'))
  })
})
