// One attempt to deliver one event: the body as it is always sent, signed now, sent, and judged.
import type { Dispatcher } from 'undici'
import type { Db } from '../db/pool.ts'
import { type ShowOperation, toEnvelope } from '../events/render.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { invariant } from '../lib/invariant.ts'
import type { Log } from '../lib/log.ts'
import type { AttemptRecord, LineKey, TakenRow } from './queries.ts'
import { judge, type Judgement } from './schedule.ts'
import type { SecretBox } from './secrets.ts'
import { DEADLINE_MS, send } from './send.ts'
import { signatureHeaders } from './sign.ts'

export interface AttemptDeps {
  db: Db
  clock: Clock
  log: Log
  openAgent(): Promise<Dispatcher>
  secretBox: SecretBox
  showOperation: ShowOperation
  deadlineMs?: number
  /** Told of every attempt, as it ends. */
  onAttempt?(status: AttemptRecord['status'], latencyMs: number): void
}

export interface Made {
  readonly record: AttemptRecord
  readonly judgement: Judgement
}

/** What all attempts of a round share. */
export interface OpenEndpoint {
  readonly url: string
  readonly secrets: readonly { readonly secret: string; readonly expiresAt: Date | null }[]
}

/** Throws when the key of a secret is not known here: then nothing is sent for this endpoint. */
export function openEndpoint({ secretBox }: AttemptDeps, line: LineKey, rows: readonly TakenRow[]): OpenEndpoint {
  const scope = { companyId: line.company_id, environment: line.environment }
  const first = rows.find(({ url }) => url !== null)
  invariant(first?.url != null && first.secrets !== null, 'the first delivery of a line has its endpoint')
  return {
    url: first.url,
    secrets: first.secrets.map(({ id, sealed, keyId, expiresAt }) => ({
      secret: secretBox.open(
        { scope, endpointId: line.endpoint_id, id },
        { sealed: Buffer.from(sealed, 'base64'), keyId },
      ),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    })),
  }
}

export async function attempt(deps: AttemptDeps, endpoint: OpenEndpoint, row: TakenRow): Promise<Made> {
  const agent = await deps.openAgent()
  const startedAt = deps.clock.now()
  const envelope = toEnvelope(row, deps.showOperation)
  const body = Buffer.from(JSON.stringify(envelope))
  const secrets = endpoint.secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > startedAt)
    .map(({ secret }) => secret)
  const headers = signatureHeaders(secrets, { id: envelope.id, at: startedAt, body })
  const sent = await send(agent, { url: endpoint.url, headers, body }, deps.deadlineMs ?? DEADLINE_MS)
  const number = row.attempt_count + 1
  const { statusCode, retryAfter } = sent
  const answer =
    statusCode === undefined
      ? ({ kind: 'unanswered' } as const)
      : ({ kind: 'answered', statusCode, retryAfter } as const)
  const judgement = judge(answer, { number, now: deps.clock.now(), random: Math.random() })
  deps.onAttempt?.(judgement.status, sent.latencyMs)
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
