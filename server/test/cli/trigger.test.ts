// `cardstock trigger`: the real command against a running server, for every type of event.
import { EVENT_TYPES, type EventType } from '@cardstock/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { register } from '../support/webhooks.ts'
import { startReceiver } from '../support/receiver.ts'
import { cardstock } from './in-process.ts'

interface WireEvent {
  id: string
  type: string
  companyId: string
  environment: string
  data: { id: string; status?: string }
}

let server: TestServer
let company: TestCompany
let environ: Record<string, string>

beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
  environ = { CARDSTOCK_URL: server.baseUrl, CARDSTOCK_API_KEY: company.key }
})
afterAll(() => server.stop())

/** What cannot be made to happen, and what its message must say instead. */
const IMPOSSIBLE: Partial<Record<EventType, string>> = {
  'webhook.disabled': 'with 410',
  'api_key.expiring': 'cardstock admin key create',
}

async function listEvents(type: EventType): Promise<WireEvent[]> {
  return (await server.get<{ data: WireEvent[] }>(`/api/v1/events?type=${type}`, company.key)).body.data
}

describe('trigger', () => {
  // Twice each, in the catalogue's order: the first round leaves an invoice, cards and reviews behind for the second.
  const possible = EVENT_TYPES.filter((type) => !(type in IMPOSSIBLE) && type !== 'webhook.ping')
  test.each([...possible, ...possible])('%s causes that event on a real object and prints it', async (type) => {
    const before = (await listEvents(type)).length
    const ended = await cardstock(['trigger', type, '--json'], environ)
    expect(ended.code, ended.err).toBe(0)
    const printed = JSON.parse(ended.out) as WireEvent
    expect(printed).toMatchObject({ type, companyId: company.wireId, environment: 'sandbox' })
    const after = await listEvents(type)
    expect(after.length).toBeGreaterThan(before)
    expect(after).toContainEqual(printed)
    const [object = '', status = ''] = type.split('.')
    if (object === 'operation' || object === 'invoice') expect(printed.data.status).toBe(status)
    if (type === 'transaction.updated') expect(printed.data.status).toBe('settled')
  })

  test('webhook.ping pings an endpoint, and says what to do if there is none', async () => {
    const ended = await cardstock(['trigger', 'webhook.ping'], environ)
    expect([ended.code, ended.err]).toEqual([2, expect.stringContaining('Create one first')])
    const receiver = await startReceiver()
    await register(server, company, receiver.url, ['webhook.ping'])
    expect((await cardstock(['trigger', 'webhook.ping'], environ)).code).toBe(0)
    expect((await receiver.wait(1))[0]?.event.type).toBe('webhook.ping')
    await receiver.close()
  })

  test.each(Object.entries(IMPOSSIBLE))(
    '%s is refused with exit code 2, and what brings it about',
    async (type, text) => {
      const ended = await cardstock(['trigger', type], environ)
      expect([ended.code, ended.out, ended.err]).toEqual([2, '', expect.stringContaining(text)])
      expect(ended.err).toContain(`${type} cannot be triggered`)
      expect(await listEvents(type as EventType)).toEqual([])
    },
  )

  test('refuses a live key, and a type that does not exist', async () => {
    const live = await server.createKey(company.id, { environment: 'live' })
    expect((await cardstock(['trigger', 'card.created', '--key', live], environ)).code).toBe(2)
    expect((await cardstock(['trigger', 'card.lost'], environ)).code).toBe(2)
  })
})
