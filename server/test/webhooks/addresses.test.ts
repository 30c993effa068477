// Forbidden addresses of deliveries: every address and spelling in these tables is refused, and no connection is opened.
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { buildConnector } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isNeverAllowed, isPublicAddress } from '../../src/webhooks/address.ts'
import { createAgent, listOwnAddresses } from '../../src/webhooks/connector.ts'
import type { Resolve } from '../../src/webhooks/resolver.ts'
import { send, targetOf } from '../../src/webhooks/send.ts'
import { signatureHeaders, signingKeys } from '../../src/webhooks/sign.ts'
import { requireUrl } from '../../src/webhooks/url.ts'

const RULES = { allowPrivateAddresses: false, ownHosts: ['api.cardstock.example'] }

/** Hosts as they may appear in a URL. */
const FORBIDDEN_HOSTS = [
  // Loopback, in every spelling.
  '127.0.0.1', '127.0.0.2', '127.255.255.254', '2130706433', '0x7f000001', '017700000001', '0177.0.0.1', '0x7f.0.0.1', '127.1',
  '127.0.1', '0x7f.1', '127.0.0.1.', '127。0。0。1', '①②⑦.⓪.⓪.①', '１２７.0.0.1', '%31%32%37.0.0.1', 'localhost', 'LOCALHOST',
  'localhost.', 'sub.localhost', 'ｌocalhost', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]',
  // This host and this network.
  '0', '0.0.0.0', '0.1.2.3', '[::]',
  // Private, shared, link-local, metadata.
  '10.0.0.1', '10.255.255.255', '167772161', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1', '100.64.0.1', '100.127.255.254',
  '100.100.100.200', '169.254.0.1', '169.254.169.254', '0xa9fea9fe', '2852039166', '[fe80::1]', '[febf::1]', '[fec0::1]', '[fc00::1]',
  '[fd00:ec2::254]', '[fdff:ffff::1]', '168.63.129.16',
  // Addresses that contain another address.
  '[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b::8.8.8.8]', '[64:ff9b:1::a00:1]', '[2002:7f00:1::1]', '[2002:a9fe:a9fe::1]',
  '[2001:0:7f00:1::]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[::ffff:10.0.0.1]', '[::ffff:0:10.0.0.1]', '[2606:4700::5efe:a00:1]',
  '[2606:4700::200:5efe:7f00:1]', '[fe80::5efe:127.0.0.1]',
  // Reserved, documentation, benchmarking, multicast, broadcast.
  '192.0.0.1', '192.0.0.170', '192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '198.19.255.255', '192.88.99.1', '192.31.196.1',
  '192.52.193.1', '192.175.48.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '[ff02::1]', '[2001:db8::1]', '[3fff::1]',
  '[100::1]', '[5f00::1]', '[2001:2::1]', '[2001:20::1]', '[4000::1]', '[2620:4f:8000::1]',
  // Names of internal networks.
  'db.internal', 'metadata.google.internal', 'printer.local', 'nas.lan', 'intranet', 'router.home.arpa', 'api.cardstock.example',
  'API.cardstock.example.',
] // prettier-ignore

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
]

let listener: Server
let port = 0
let connections = 0
const dialled: string[] = []

/** Watches the system's sockets. A test may really connect only to loopback. */
const watchedDial: typeof buildConnector = (options) => {
  const connect = buildConnector(options)
  return (target, callback) => {
    dialled.push(target.hostname)
    connect(target, callback)
  }
}

beforeAll(async () => {
  listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, resolve))
  port = (listener.address() as AddressInfo).port
})
afterAll(() => new Promise<void>((resolve) => void listener.close(() => resolve())))
beforeEach(() => {
  connections = 0
  dialled.length = 0
})

const resolveNothing: Resolve = async () => []

async function deliver(
  url: string,
  resolve: Resolve = resolveNothing,
  rules: { allowPrivateAddresses?: boolean; ownHosts?: string[]; ownAddresses?: () => string[] } = {},
) {
  const agent = await createAgent({ ...RULES, ...rules, dial: watchedDial, resolve })
  const body = Buffer.from('{}')
  const headers = signatureHeaders([signingKeys('whsec_AAAA')], { id: 'evt_1', at: new Date(), body })
  const sent = await send(agent, { target: targetOf(url), headers, body }, 3000)
  await agent.destroy()
  return sent
}

test('the table has at least sixty rows', () => {
  expect(new Set(FORBIDDEN_HOSTS).size).toBeGreaterThanOrEqual(60)
})

describe.each(FORBIDDEN_HOSTS)('%s', (host) => {
  test('is refused when registered and when dialled, and no socket is opened', async () => {
    expect(() => requireUrl(`http://${host}:${port}/`, 'sandbox', RULES)).toThrow(
      /must be a public address|must not be a link-local address/,
    )
    const resolved: string[] = []
    const sent = await deliver(`http://${host}:${port}/`, async (name) => {
      resolved.push(name)
      return [{ address: '127.0.0.1', family: 4 }]
    })
    expect(sent).toMatchObject({ statusCode: undefined, error: 'the address is not a public one' })
    expect({ resolved, dialled, connections }).toEqual({ resolved: [], dialled: [], connections: 0 })
  })
})

describe('a name', () => {
  const HOOKS = 'http://hooks.example.com'
  const answers = (...lists: string[][]): { resolve: Resolve; count: () => number } => {
    let count = 0
    return {
      count: () => count,
      resolve: async () => {
        const list = lists[Math.min(count, lists.length - 1)] ?? []
        count += 1
        return list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      },
    }
  }

  test.each([
    ['to loopback', ['127.0.0.1']],
    ['to IPv6 loopback', ['::1']],
    ['to a mapped address', ['::ffff:127.0.0.1']],
    ['to a private address among public ones', ['93.184.216.34', '10.0.0.1']],
    ['to the cloud metadata after a public one', ['2606:4700:4700::1111', '169.254.169.254']],
    ['to something that is no address', ['not an address']],
    ['to a zoned address', ['fe80::1%eth0']],
  ])('that resolves %s opens no connection', async (_what, list) => {
    const { resolve } = answers(list)
    const sent = await deliver(`${HOOKS}:${port}/`, resolve)
    expect(sent).toMatchObject({ statusCode: undefined, error: 'the address is not a public one' })
    expect(connections).toBe(0)
  })

  test('that answers differently the second time is resolved once, and the checked address is dialled', async () => {
    // The first answer would pass a check that resolves before dialling; the second would be dialled.
    const rebinding = answers(['93.184.216.34'], ['127.0.0.1'])
    expect(await rebinding.resolve('hooks.example.com')).toEqual([{ address: '93.184.216.34', family: 4 }])
    const sent = await deliver(`${HOOKS}:${port}/`, rebinding.resolve)
    expect(sent.error).toBe('the address is not a public one')
    expect(rebinding.count()).toBe(2)
    expect(connections).toBe(0)
  })

  test('that resolves to nothing opens no connection and says so', async () => {
    const sent = await deliver(`${HOOKS}:${port}/`)
    expect(sent).toMatchObject({ error: 'the name could not be resolved (ENOTFOUND)', hasResolverFailed: false })
    expect(connections).toBe(0)
  })

  test('the socket gets exactly the addresses of the single look-up', async () => {
    const once = answers(['93.184.216.34'], ['127.0.0.1'])
    const given: unknown[] = []
    const agent = await createAgent({
      ...RULES,
      resolve: once.resolve,
      // Calls the look-up as a socket does, but opens no connection.
      dial: (options) => (target, callback) => {
        const { lookup } = options as {
          lookup: (host: string, o: object, done: (error: Error | null, list: unknown) => void) => void
        }
        lookup(target.hostname, { all: true }, (_error, list) => {
          given.push(list)
          callback(new Error('not dialled'), null)
        })
      },
    })
    const body = Buffer.from('{}')
    const headers = signatureHeaders([], { id: 'x', at: new Date(), body })
    await send(agent, { target: targetOf(HOOKS), headers, body }, 1000)
    await agent.destroy()
    expect(given).toEqual([[{ address: '93.184.216.34', family: 4 }]])
    expect(once.count()).toBe(1)
  })

  test('may be private if that is allowed', async () => {
    await deliver(`${HOOKS}:${port}/`, answers(['127.0.0.1']).resolve, { allowPrivateAddresses: true })
    expect(connections).toBe(1)
    expect(requireUrl(`http://127.0.0.1:${port}/x`, 'sandbox', { ...RULES, allowPrivateAddresses: true })).toBe(
      `http://127.0.0.1:${port}/x`,
    )
  })
})

describe('this server itself', () => {
  const PUBLIC_OWN = '93.184.216.34'
  const refusal = { statusCode: undefined, error: 'the address is not a public one' }

  test('is refused at a public address of one of its interfaces, as a literal and as the address of a name', async () => {
    const ownAddresses = () => [PUBLIC_OWN]
    expect(await deliver(`http://${PUBLIC_OWN}:${port}/`, resolveNothing, { ownAddresses })).toMatchObject(refusal)
    const resolve: Resolve = async () => [{ address: PUBLIC_OWN, family: 4 }]
    expect(await deliver(`http://hooks.example.com:${port}/`, resolve, { ownAddresses })).toMatchObject(refusal)
    expect(dialled).not.toContain(PUBLIC_OWN)
    expect(listOwnAddresses()).toContain('127.0.0.1')
  })

  test('is refused at the address in PUBLIC_URL, which may belong to a router', async () => {
    const ownHosts = [PUBLIC_OWN]
    expect(() => requireUrl(`https://${PUBLIC_OWN}/`, 'live', { ...RULES, ownHosts })).toThrow(
      /must be a public address/,
    )
    expect(await deliver(`http://${PUBLIC_OWN}:${port}/`, resolveNothing, { ownHosts })).toMatchObject(refusal)
    const resolve: Resolve = async () => [{ address: PUBLIC_OWN, family: 4 }]
    expect(await deliver(`http://hooks.example.com:${port}/`, resolve, { ownHosts })).toMatchObject(refusal)
  })

  test('is refused at every address of its machine', async () => {
    for (const address of listOwnAddresses().filter((text) => !text.includes('%'))) {
      const sent = await deliver(`http://${address.includes(':') ? `[${address}]` : address}:${port}/`)
      expect(sent).toMatchObject(refusal)
    }
    expect(connections).toBe(0)
  })
})

describe('link-local and metadata addresses, where private addresses are allowed', () => {
  const OPEN = { ...RULES, allowPrivateAddresses: true }
  test.each([
    '169.254.169.254', '169.254.0.1', '169.254.170.2', 'fe80::1', 'febf::1', 'fd00:ec2::254', 'fd20:ce::254', '100.100.100.200',
    '192.0.0.192', '168.63.129.16', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '64:ff9b::169.254.169.254', '2002:a9fe:a9fe::1',
    '::169.254.169.254', '2606:4700::5efe:a9fe:a9fe',
  ])('%s is refused when registered, when dialled and when resolved', async (address) => {
    expect(isNeverAllowed(address)).toBe(true)
    const host = address.includes(':') ? `[${address}]` : address
    expect(() => requireUrl(`http://${host}:${port}/`, 'sandbox', OPEN)).toThrow(/link-local address or a metadata/)
    const literal = await deliver(`http://${host}:${port}/`, resolveNothing, OPEN)
    expect(literal.error).toBe('the address is not a public one')
    const resolve: Resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
    expect((await deliver(`http://hooks.example.com:${port}/`, resolve, OPEN)).error).toBe('the address is not a public one')
    expect(connections).toBe(0)
  }) // prettier-ignore

  test.each(['127.0.0.1', '10.0.0.1', '192.168.1.1', '::1', 'fd12:3456::1', '::ffff:10.0.0.1'])(
    '%s is not',
    (address) => {
      expect(isNeverAllowed(address)).toBe(false)
    },
  )
})

test.each(PUBLIC)('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each(['2606:4700:4700::1111%eth0', 'example.com', ''])('"%s" is none', (text) => {
  expect(isPublicAddress(text)).toBe(false)
})

describe('a URL', () => {
  test.each([
    ['http in live', 'http://example.com/', 'live', /https:\/\/ in live/],
    ['another scheme', 'ftp://example.com/', 'sandbox', /begin with https/],
    ['a file', 'file:///etc/passwd', 'sandbox', /begin with https/],
    ['no URL', 'example.com/hooks', 'sandbox', /absolute URL/],
    ['a user name', 'https://me@example.com/', 'sandbox', /user name/],
    ['userinfo that looks like a host', 'https://example.com@127.0.0.1/', 'sandbox', /user name/],
    ['a password', 'https://:x@example.com/', 'sandbox', /user name/],
    ['a fragment', 'https://example.com/#x', 'sandbox', /fragment/],
    ['the port of SSH', 'https://example.com:22/', 'live', /must use port/],
    ['the port of SMTP', 'http://example.com:25/', 'sandbox', /must use port/],
    ['port 80 with TLS', 'https://example.com:80/', 'live', /must use port/],
    ['a port of IRC', 'https://example.com:6667/', 'live', /must use port/],
    ['port 0', 'https://example.com:0/', 'live', /must use port/],
  ] as const)('with %s is refused', (_what, url, environment, rule) => {
    expect(() => requireUrl(url, environment, RULES)).toThrow(rule)
  })

  test.each([
    ['https://example.com', 'live', 'https://example.com/'],
    ['https://Example.com:443/a?b=c', 'live', 'https://example.com/a?b=c'],
    ['https://example.com:8443/', 'live', 'https://example.com:8443/'],
    ['http://example.com/', 'sandbox', 'http://example.com/'],
    ['https://93.184.216.34/', 'live', 'https://93.184.216.34/'],
  ] as const)('%s is accepted in %s', (url, environment, normal) => {
    expect(requireUrl(url, environment, RULES)).toBe(normal)
  })
})
