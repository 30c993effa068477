// Names of receivers are resolved by a real DNS server on loopback: one that swallows queries, fails, or works.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findId } from '../../../src/lib/ids.ts'
import { parseHosts } from '../../../src/webhooks/hosts-file.ts'
import { createNameResolver, type NameResolver } from '../../../src/webhooks/resolver.ts'
import type { Tracing } from '../../../src/telemetry/tracing.ts'
import { TestServer } from '../../support/harness.ts'
import { type DnsServer, startDnsServer } from './dns-server.ts'
import { attemptsOf, emit, getEndpoint, register, waitForAttempts } from '../../support/webhooks.ts'
import { type Receiver, startReceiver, until } from '../../support/receiver.ts'

/** Longer than any test takes: a lookup that is swallowed stays in flight until the test ends. */
const NEVER_MS = 600_000

const LOOPBACK = { address: '127.0.0.1' }
const ELSEWHERE = { address: '192.0.2.7' }

/** How the spans of the attempts ended. */
const ends: { endpointId: string; outcome: string; status: number | undefined }[] = []
const context = { traceId: '', spanId: '', traceFlags: 0 }
const tracing: Tracing = {
  startRequest: () => ({ context, linkOperation() {}, end() {} }),
  startBatch: () => ({ accept() {}, end() {}, fail() {} }),
  startCall: () => ({ end() {} }),
  startAttempt: ({ endpointId }) => ({ end: (outcome, status) => ends.push({ endpointId, outcome, status }) }),
  close: async () => {},
}

let dns: DnsServer
let names: NameResolver
let server: TestServer
let receiver: Receiver
const open: NameResolver[] = []

function createResolver(options: { servers?: string[]; deadlineMs?: number } = {}): NameResolver {
  const made = createNameResolver({ servers: [dns.address], deadlineMs: NEVER_MS, ...options })
  open.push(made)
  return made
}

beforeAll(async () => {
  dns = await startDnsServer(() => LOOPBACK)
  names = createNameResolver({ servers: [dns.address], deadlineMs: NEVER_MS })
  const webhookResolve = (name: string) => names.resolve(name)
  server = await TestServer.start({}, { webhookDeadlineMs: NEVER_MS, webhookResolve, tracing })
  receiver = await startReceiver()
})
afterAll(async () => {
  names.close()
  await server.stop()
  await receiver.close()
  await dns.close()
})
afterEach(() => {
  for (const made of open.splice(0)) made.close()
  receiver.arrivals.length = 0
})

const urlOf = (host: string) => receiver.url.replace('127.0.0.1', host)

describe('deliveries', () => {
  test("continue for other companies while one company's names never resolve", async () => {
    dns.answer = (name) => (name.startsWith('silent') ? 'swallow' : LOOPBACK)
    const [hostile, other] = [await server.createCompany(), await server.createCompany()]
    const silent = Array.from({ length: 10 }, (_, index) => `silent-${index}.example`)
    for (const name of silent) await register(server, hostile, urlOf(name))
    for (let i = 0; i < 20; i += 1) await emit(server, hostile)
    await until(() => (silent.every((name) => dns.asked.has(name)) ? true : undefined))
    await register(server, other, urlOf('hooks.example'))
    for (let i = 0; i < 20; i += 1) await emit(server, other)
    await receiver.wait(20)
    expect(receiver.arrivals.every(({ event }) => event.companyId === other.wireId)).toBe(true)
    names.close()
  })

  test("are postponed without counting against the endpoint while this machine's DNS servers do not answer", async () => {
    dns.answer = () => 'servfail'
    const company = await server.createCompany()
    const { id } = await register(server, company, urlOf('servfail.example'))
    await emit(server, company)
    const ended = () => ends.filter(({ endpointId }) => endpointId === findId('we', id))
    await until(() => (ended().length > 0 ? true : undefined))
    const [event] = (await server.get<{ data: { id: string }[] }>('/api/v1/events', company.key)).body.data
    dns.answer = () => LOOPBACK
    // The queue rests for a quarter of a minute; the delivery is then made as its first attempt.
    const [attempt] = await until(async () => {
      server.clock.advance(16_000)
      const attempts = await attemptsOf(server, company, event?.id ?? '')
      return attempts.length > 0 ? attempts : undefined
    })
    expect(attempt).toMatchObject({ number: 1, succeeded: true })
    expect((await getEndpoint(server, company, id)).health).toMatchObject({ failures: 0, failingSince: null })
    const { text } = await server.request('GET', '/metrics')
    expect(text).toMatch(/webhook_attempts_total\{outcome="not_sent"\} [1-9]/)
    expect([ended()[0], ended().at(-1)]).toMatchObject([
      { outcome: 'not_sent', status: undefined },
      { outcome: 'delivered', status: 200 },
    ])
  })

  test('to a name that does not exist count as failed', async () => {
    dns.answer = () => 'nxdomain'
    const company = await server.createCompany()
    const { id } = await register(server, company, urlOf('missing.example'))
    await emit(server, company)
    const [event] = (await server.get<{ data: { id: string }[] }>('/api/v1/events', company.key)).body.data
    const [attempt] = await waitForAttempts(server, company, event?.id ?? '', 1)
    expect(attempt).toMatchObject({ number: 1, error: 'the name could not be resolved (ENOTFOUND)' })
    expect((await getEndpoint(server, company, id)).health.failures).toBe(1)
  })
})

describe('a lookup', () => {
  test('returns the addresses of both families', async () => {
    dns.answer = () => ELSEWHERE
    expect(await createResolver().resolve('Hooks.example')).toEqual([{ address: '192.0.2.7', family: 4 }])
  })

  test('ends at its deadline', async () => {
    dns.answer = () => 'swallow'
    // Without the deadline, it would try three times and then give up by itself, with another code.
    await expect(createResolver({ deadlineMs: 300 }).resolve('a.example')).rejects.toMatchObject({
      name: 'ResolverFailureError',
      code: 'ECANCELLED',
    })
  })

  test('waits only briefly for IPv6 addresses once it has IPv4 addresses', async () => {
    let unanswered = 0
    dns.answer = (name, family) => {
      if (family === 4) return ELSEWHERE
      // The server may look names of the tests before this one up again.
      if (name === 'half.example') unanswered += 1
      return 'swallow'
    }
    expect(await createResolver().resolve('half.example')).toEqual([{ ...ELSEWHERE, family: 4 }])
    // It would ask three times before it gives up by itself.
    expect(unanswered).toBeLessThan(3)
  })

  test('that fails counts against the name only if the DNS server answered another lookup meanwhile', async () => {
    const resolver = createResolver()
    dns.answer = () => 'servfail'
    await expect(resolver.resolve('broken.example')).rejects.toMatchObject({ name: 'ResolverFailureError' })
    let fail: (answer: 'servfail') => void = () => undefined
    const failure = new Promise<'servfail'>((resolve) => (fail = resolve))
    dns.answer = (name) => (name === 'broken.example' ? failure : ELSEWHERE)
    const broken = resolver.resolve('broken.example')
    await resolver.resolve('working.example')
    fail('servfail')
    await expect(broken).rejects.toMatchObject({ name: 'NameNotResolvedError' })
  })

  test('does not count against the name if the DNS server cannot be reached', async () => {
    const dead = await startDnsServer(() => 'nxdomain')
    await dead.close()
    await expect(createResolver({ servers: [dead.address] }).resolve('a.example')).rejects.toMatchObject({
      name: 'ResolverFailureError',
      code: 'ECONNREFUSED',
    })
  })

  test('is shared by concurrent lookups of the name', async () => {
    dns.answer = () => ELSEWHERE
    const resolver = createResolver()
    const lookups = [resolver.resolve('same.example'), resolver.resolve('SAME.example')]
    expect(lookups[0]).toBe(lookups[1])
    await Promise.all(lookups)
  })

  test('is refused above the limit of lookups in flight, without counting against the name', async () => {
    dns.answer = () => 'swallow'
    const resolver = createResolver()
    const lookups = Array.from({ length: 257 }, (_, index) => resolver.resolve(`silent-${index}.example`))
    for (const lookup of lookups.slice(0, 256)) lookup.catch(() => undefined)
    await expect(lookups[256]).rejects.toMatchObject({ name: 'ResolverFailureError', code: 'EBUSY' })
  })

  test.each([
    ['servfail', 'nxdomain', 'NameNotResolvedError', 'ENOTFOUND'],
    ['nxdomain', 'servfail', 'NameNotResolvedError', 'ENOTFOUND'],
    ['servfail', ELSEWHERE, 'ResolverFailureError', 'ESERVFAIL'],
  ] as const)('that gets %s for IPv4 and %s for IPv6 fails with %s', async (ipv4, ipv6, name, code) => {
    // The server answers with no address if it is asked for IPv6.
    dns.answer = (_name, family) => (family === 4 ? ipv4 : ipv6)
    await expect(createResolver().resolve('half.example')).rejects.toMatchObject({ name, code })
  })

  test('of localhost needs no DNS server', async () => {
    dns.answer = () => 'nxdomain'
    const found = await createNameResolver({ servers: [dns.address], findInHosts: async () => [] }).resolve('localhost')
    expect(found.map(({ address }) => address)).toEqual(['127.0.0.1', '::1'])
  })

  test('uses the hosts file before DNS', async () => {
    const hosts = parseHosts('# comment\n10.0.0.9 inside.example Other # more\n::9 inside.example\n\n')
    const findInHosts = async (name: string) => hosts.get(name) ?? []
    expect(await createNameResolver({ servers: [dns.address], findInHosts }).resolve('Inside.example')).toEqual([
      { address: '10.0.0.9', family: 4 },
      { address: '::9', family: 6 },
    ])
    expect(hosts.get('other')).toEqual(['10.0.0.9'])
  })
})
