// Makes one attempt to deliver one event: builds the body, signs it now, sends it, and judges the answer.
import type { Dispatcher } from 'undici'
import type { Db } from '../db/pool.ts'
import { type ShowOperation, toEnvelope } from '../events/render.ts'
import type { Clock } from '../lib/clock.ts'
import type { Grouping } from '../lib/grouping.ts'
import { newId } from '../lib/ids.ts'
import { invariant } from '../lib/invariant.ts'
import type { Log } from '../lib/log.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { AttemptRecord, QueueKey, TakenRow } from './queries.ts'
import { judge, type Judgement } from './schedule.ts'
import type { SecretBox } from './secrets.ts'
import { DEADLINE_MS, send, type Target, targetOf } from './send.ts'
import { signatureHeaders, type SigningKeys, signingKeys } from './sign.ts'

export interface AttemptDeps {
  db: Db
  clock: Clock
  log: Log
  openAgent(): Promise<Dispatcher>
  secretBox: SecretBox
  showOperation: ShowOperation
  /** Which deliveries may share a statement. */
  grouping?: Grouping
  deadlineMs?: number
  /** Called at the end of every attempt; `not_sent` when our own DNS servers did not answer. */
  onAttempt?(status: AttemptRecord['status'] | 'not_sent', latencyMs: number): void
  /** Absent: no traces. */
  tracing?: Tracing | undefined
}

export interface Made {
  readonly record: AttemptRecord
  readonly judgement: Judgement
}

/** What all attempts of a round share. */
export interface OpenEndpoint {
  readonly id: string
  readonly agent: Dispatcher
  readonly target: Target
  readonly secrets: readonly { readonly keys: SigningKeys; readonly expiresAt: Date | null }[]
}

/** Throws when this process does not have the key of a secret; then nothing is sent to this endpoint. */
export async function openEndpoint(
  { openAgent, secretBox }: AttemptDeps,
  queue: QueueKey,
  rows: readonly TakenRow[],
): Promise<OpenEndpoint> {
  const scope = { companyId: queue.company_id, environment: queue.environment }
  const first = rows.find(({ url }) => url !== null)
  invariant(first?.url != null && first.secrets !== null, 'the first delivery of a queue has its endpoint')
  return {
    id: queue.endpoint_id,
    agent: await openAgent(),
    target: targetOf(first.url),
    secrets: first.secrets.map(({ id, ciphertext, keyId, expiresAt }) => ({
      keys: signingKeys(
        secretBox.decrypt(
          { scope, endpointId: queue.endpoint_id, id },
          { ciphertext: Buffer.from(ciphertext, 'base64'), keyId },
        ),
      ),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    })),
  }
}

/** Returns `not_sent` when our own DNS servers failed: that says nothing about the receiver and is not an attempt. */
export async function attempt(deps: AttemptDeps, endpoint: OpenEndpoint, row: TakenRow): Promise<Made | 'not_sent'> {
  const startedAt = deps.clock.now()
  const envelope = toEnvelope(row, deps.showOperation)
  const body = Buffer.from(JSON.stringify(envelope))
  const secrets = endpoint.secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > startedAt)
    .map(({ keys }) => keys)
  const headers = signatureHeaders(secrets, { id: envelope.id, at: startedAt, body })
  const number = row.attempt_count + 1
  const span = deps.tracing?.startAttempt({
    environment: row.environment,
    eventId: row.id,
    eventType: row.type,
    endpointId: endpoint.id,
    attempt: number,
    operationId: row.operation_type === null ? undefined : row.object_id,
  })
  const sent = await send(endpoint.agent, { target: endpoint.target, headers, body }, deps.deadlineMs ?? DEADLINE_MS)
  if (sent.hasResolverFailed) {
    deps.onAttempt?.('not_sent', sent.latencyMs)
    span?.end('not_sent', undefined)
    return 'not_sent'
  }
  const { statusCode, retryAfter } = sent
  const answer =
    statusCode === undefined
      ? ({ kind: 'unanswered' } as const)
      : ({ kind: 'answered', statusCode, retryAfter } as const)
  const judgement = judge(answer, { number, now: deps.clock.now(), random: Math.random() })
  deps.onAttempt?.(judgement.status, sent.latencyMs)
  span?.end(judgement.status === 'pending' ? 'retry' : judgement.status, statusCode)
  return {
    judgement,
    record: {
      event_id: row.id,
      id: newId(startedAt),
      number,
      resend_count: row.resend_count,
      status: judgement.status,
      status_code: statusCode ?? null,
      error: sent.error ?? null,
      latency_ms: sent.latencyMs,
      response: sent.response ?? null,
      started_at: startedAt,
      due_at: judgement.dueAt,
    },
  }
}
