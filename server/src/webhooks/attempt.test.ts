// One attempt of a delivery: what is sent, what is recorded, and what is measured.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Request, toDispatcher } from '../../test/support/dispatcher.ts'
import type { Db } from '../db/pool.ts'
import { createLog } from '../lib/log.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { attempt, openEndpoint } from './attempt.ts'
import type { TakenRow } from './queries.ts'
import { ResolverFailureError } from './resolver.ts'
import { createSecretBox } from './secrets.ts'

const NOW = new Date('2026-01-15T10:00:00.000Z')
const KEY = { company_id: randomUUID(), environment: 'sandbox', endpoint_id: randomUUID() } as const
const ROW: TakenRow = {
  ...KEY,
  item: 1,
  url: 'https://example.com/hooks',
  secrets: [],
  attempt_count: 2,
  resend_count: 3,
  id: randomUUID(),
  type: 'card.updated',
  object_id: randomUUID(),
  sequence: 2,
  data: {},
  created_at: NOW,
  operation_type: null,
  amount: null,
  fee: null,
  card_id: null,
  receipt: null,
  failure_code: null,
  failure_message: null,
  operation_created_at: null,
}
const OPERATION: Partial<TakenRow> = {
  type: 'operation.queued',
  data: null,
  operation_type: 'issue',
  amount: 1n,
  fee: 1n,
  operation_created_at: NOW,
}
const secretBox = createSecretBox(() => [Buffer.alloc(32, 1)])

/** Makes one attempt and returns everything that it told anybody. */
async function tryOnce(reply: number | Error, row: Partial<TakenRow> = {}) {
  const told: unknown[] = []
  const sent: Record<string, string>[] = []
  const begun: Record<string, unknown>[] = []
  const request = async ({ headers }: Request) => {
    sent.push(headers as Record<string, string>)
    if (reply instanceof Error) throw reply
    return { statusCode: reply, headers: {}, body: [Buffer.from('thanks')] }
  }
  const startAttempt: Tracing['startAttempt'] = (about) => {
    begun.push({ ...about })
    return { end: (outcome, status) => void told.push(['span', outcome, status]) }
  }
  const deps = {
    // An attempt reads and writes nothing.
    db: {} as Db,
    clock: { now: () => NOW },
    log: createLog({ level: 'silent' }),
    openAgent: async () => toDispatcher(request),
    secretBox,
    showOperation: () => ({}),
    onAttempt: (status: string) => void told.push(['attempt', status]),
    tracing: { startAttempt } as Tracing,
  }
  const taken = { ...ROW, ...row }
  const made = await attempt(
    deps,
    await openEndpoint(deps, KEY, [{ ...taken, url: null, secrets: null }, taken]),
    taken,
  )
  return { made, told, signatures: sent[0]?.['webhook-signature']?.split(' ') ?? [], about: begun[0] }
}

describe('an attempt', () => {
  it.each([
    [200, {}, 'delivered', 'delivered', null],
    [500, {}, 'pending', 'retry', new Date(NOW.getTime() + 1)],
    [500, { attempt_count: 9 }, 'failed', 'failed', null],
  ] as const)('with the answer %i is recorded and told', async (statusCode, row, status, outcome, due) => {
    const { made, told, about } = await tryOnce(statusCode, row)
    const number = 'attempt_count' in row ? 10 : 3
    expect(made).toMatchObject({
      record: {
        event_id: ROW.id,
        number,
        resend_count: 3,
        status,
        status_code: statusCode,
        error: null,
        response: 'thanks',
      },
    })
    expect(made !== 'not_sent' && made.record.due_at !== null).toBe(due !== null)
    expect(told).toEqual([
      ['attempt', status],
      ['span', outcome, statusCode],
    ])
    expect(about).toMatchObject({ attempt: number, operationId: undefined, endpointId: KEY.endpoint_id })
  })

  it('without an answer is recorded with its reason', async () => {
    const { made, told } = await tryOnce(new Error('no'))
    expect(made).toMatchObject({ record: { status_code: null, error: 'the exchange failed', response: null } })
    expect(told).toEqual([
      ['attempt', 'pending'],
      ['span', 'retry', undefined],
    ])
  })

  it('is none if our own DNS servers failed', async () => {
    const { made, told } = await tryOnce(new ResolverFailureError('ETIMEOUT'))
    expect(made).toBe('not_sent')
    expect(told).toEqual([
      ['attempt', 'not_sent'],
      ['span', 'not_sent', undefined],
    ])
  })

  it('of an operation is told with the operation', async () => {
    expect((await tryOnce(200, OPERATION)).about).toMatchObject({ operationId: ROW.object_id })
  })

  it('is signed by the secrets that have not ended', async () => {
    const secrets = [null, new Date(NOW.getTime() + 1), NOW, new Date(NOW.getTime() - 1)].map((expiresAt) => {
      const id = randomUUID()
      const scope = { companyId: KEY.company_id, environment: KEY.environment }
      const place = { scope, endpointId: KEY.endpoint_id, id }
      const { ciphertext, keyId } = secretBox.encrypt(place, `whsec_${Buffer.from(id).toString('base64')}`)
      return { id, ciphertext: ciphertext.toString('base64'), keyId, expiresAt: expiresAt?.toISOString() ?? null }
    })
    expect((await tryOnce(200, { secrets })).signatures).toHaveLength(2)
    for (const [index, count] of [1, 1, 0, 0].entries()) {
      const { signatures } = await tryOnce(200, { secrets: secrets.slice(index, index + 1) })
      expect(signatures.filter((signature) => signature !== '')).toHaveLength(count)
    }
  })

  it('is not begun without the address and the secrets of its endpoint', async () => {
    const deps = { secretBox } as Parameters<typeof openEndpoint>[0]
    for (const row of [
      { ...ROW, url: null },
      { ...ROW, secrets: null },
    ])
      await expect(openEndpoint(deps, KEY, [row])).rejects.toThrow('the first delivery of a queue has its endpoint')
  })
})
