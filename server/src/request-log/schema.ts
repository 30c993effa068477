// The request log on the wire.
import { type Static, Type } from 'typebox'
import { formatId, timeInId } from '../lib/ids.ts'
import {
  EnvironmentSchema,
  field,
  INSTANT_NOTE,
  instantQuery,
  nullable,
  object,
  pageQuery,
  Timestamp,
} from '../lib/wire.ts'
import type { RequestLogDetail } from './detail.ts'
import type { RequestLogRow } from './queries.ts'

export const RequestLogQuery = object({
  ...pageQuery,
  status: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 599,
      hint: 'an HTTP status such as 404',
      description: 'Only requests that were answered with this status.',
    }),
  ),
  path: Type.Optional(
    Type.String({ maxLength: 500, description: 'Only requests to exactly this path, without its query.' }),
  ),
  keyId: Type.Optional(Type.String({ maxLength: 100, description: 'Only requests that were made with this API key.' })),
  from: Type.Optional(field(instantQuery, `Only requests from this time on. ${INSTANT_NOTE}`)),
  to: Type.Optional(field(instantQuery, `Only requests until this time. ${INSTANT_NOTE}`)),
})

const body = (about: string) =>
  Type.Unsafe<Record<string, unknown> | null>({
    title: 'RequestLogBody',
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'A body, in which everything that the log must not keep is replaced by `[redacted]`.',
    usage: about,
  })

export const RequestLogSchema = object(
  {
    id: field(Type.String(), 'The id of the record.'),
    method: field(Type.String(), 'The HTTP method.'),
    path: field(Type.String(), 'The path, without the query.'),
    query: nullable(
      field(
        Type.String(),
        'The query with its question mark, in which values that the log must not keep are replaced by `[redacted]`. Null if there was none.',
      ),
    ),
    status: field(Type.Integer(), 'The HTTP status of the answer.'),
    durationMs: field(Type.Integer(), 'Milliseconds from the arrival of the request to the end of the answer.'),
    keyId: field(Type.String(), 'The API key that was used.'),
    requestId: field(Type.String(), 'The value of `X-Request-Id`.'),
    address: field(Type.String(), 'The address that the request came from.'),
    errorCode: nullable(field(Type.String(), 'The `code` of the error body; null for a success.')),
    idempotencyKey: nullable(
      field(
        Type.String(),
        'The `Idempotency-Key` that was sent, with which the same request returns the first answer. Null if the call takes none, or if the key looks like a secret or an e-mail address.',
      ),
    ),
    requestBody: body(
      'The body that was sent, redacted; null if there was none. One that was too long, unreadable or no object is redacted altogether.',
    ),
    responseBody: body('The body of the answer, redacted; null if there was none, or it was a list or too long.'),
    environment: EnvironmentSchema,
    createdAt: field(Timestamp, 'When the request was answered.'),
  },
  'RequestLog',
  'One request of a key of the company, and how it was answered.',
)

export function toRequestLog(row: RequestLogRow): Static<typeof RequestLogSchema> {
  return {
    query: null,
    idempotencyKey: null,
    ...(JSON.parse(row.detail) as RequestLogDetail),
    id: formatId('req', row.id),
    path: row.path,
    status: row.status,
    keyId: formatId('key', row.key_id),
    environment: row.environment,
    createdAt: timeInId(row.id),
  }
}
