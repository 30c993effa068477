// GET /api/v1/events/stream: events as they happen, as server-sent events.
import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import { EVENT_TYPES, type EventRetention, oldestKept } from '../catalogue.ts'
import { SETTLED_AFTER_MS } from '../feed.ts'
import { companyRoute, memberRoute, type Route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { findId, firstIdAt, timeInId } from '../../lib/ids.ts'
import { object } from '../../lib/wire.ts'
import type { Start } from './stream.ts'
import type { EventStreams } from './streams.ts'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-store',
  // nginx would collect the answer otherwise.
  'x-accel-buffering': 'no',
  connection: 'close',
}

const POSITION = 'a position such as pos_… or evt_…'
const StreamQuery = object({
  types: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      hint: 'event types, separated by commas',
      description: 'Only events of these types, separated by commas, such as `operation.completed,operation.failed`.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      pattern: '^(pos|evt)_[0-9a-f]{32}$',
      hint: POSITION,
      description:
        'Where to resume: the last `id:` that was received. The id of an event is accepted too; then events of the time around it may arrive again. A `Last-Event-ID` header goes before it. Only new events when left out.',
    }),
  ),
})

const Stream = Type.String({
  contentMediaType: 'text/event-stream',
  description: 'Server-sent events. The `data:` of each is an event, and its `id:` is the position to resume from.',
})

const Changes = Type.String({
  contentMediaType: 'text/event-stream',
  description: 'Server-sent events. The `data:` of each is an object with the `type` of an event, and nothing else.',
})

/** Every role may read these objects. */
const TYPES_OF_OBJECTS: ReadonlySet<string> = new Set(
  EVENT_TYPES.filter((type) => /^(?:operation|invoice|card|transaction)\./.test(type)),
)

interface Deps {
  clock: Clock
  eventStreams: EventStreams
  retention: EventRetention
}

export function eventStreamRoutes({ clock, eventStreams, retention }: Deps): Route[] {
  return [
    companyRoute(
      { anyOf: ['webhooks:read'] },
      {
        method: 'GET',
        path: '/api/v1/events/stream',
        tag: 'events',
        id: 'streamEvents',
        summary: 'Stream events',
        description: [
          'Sends each event of the company and environment as it happens, as server-sent events (`text/event-stream`). The `data:` of each is the event as `GET /api/v1/events/{id}` returns it.',
          'To resume without a gap, connect again with the last `id:` as the `Last-Event-ID` header or as `after`. An event can arrive twice after that, and two events that happen at the same time can arrive in either order; `data.sequence` orders the events of one object.',
          'A comment arrives every 15 seconds. The server ends a stream after an hour, after 15 minutes without an event, when the key ends, and when it stops; a client that reads too slowly is cut off. A company can have 20 streams open on one server.',
        ].join('\n\n'),
        refusals: ['event_stream_limit'],
        query: StreamQuery,
        responses: { 200: Stream },
        handle: async ({ caller, query, headers, recheck }) => {
          const types = parseTypes(query.types)
          const start = parseStart(
            headers['last-event-id']?.toString(),
            query.after,
            oldestKept(clock.now(), retention),
          )
          return {
            status: 200,
            headers: HEADERS,
            produce: (response) => eventStreams.open({ scope: caller.scope, start, types, recheck }, response),
          }
        },
      },
    ),
    memberRoute(
      { anyOf: ['operations:read'] },
      {
        method: 'GET',
        path: '/api/v1/changes',
        tag: 'team',
        id: 'streamChanges',
        summary: 'Stream what kind of thing changes',
        description: [
          'Sends the type of each event of the company and environment as it happens, as server-sent events, without what is in the event. A page reads again what it shows of that type. An event is one line and nothing else, so this stream has no recorded example: `data: {"type":"invoice.pending"}`.',
          'Types about webhooks and keys are sent only to roles that may read events. The limits are those of `GET /api/v1/events/stream`.',
        ].join('\n\n'),
        refusals: ['event_stream_limit'],
        responses: { 200: Changes },
        handle: async ({ caller, recheck }) => {
          const types = caller.permissions.has('webhooks:read') ? undefined : TYPES_OF_OBJECTS
          return {
            status: 200,
            headers: HEADERS,
            produce: (response) =>
              eventStreams.open({ scope: caller.scope, start: undefined, types, isOnlyTypes: true, recheck }, response),
          }
        },
      },
    ),
  ]
}

function parseTypes(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined
  const types = text.split(',')
  const unknown = types.find((type) => !(EVENT_TYPES as readonly string[]).includes(type))
  if (unknown === undefined) return new Set(types)
  throw new ApiError(
    'validation_failed',
    `query.types: "${unknown}" is not an event type. The types are ${EVENT_TYPES.join(', ')}.`,
    { param: 'types' },
  )
}

/** The header goes first, because a browser that connects again sends it with the address that it used at first. */
function parseStart(header: string | undefined, after: string | undefined, oldest: Date): Start | undefined {
  const text = header === undefined || header === '' ? after : header
  if (text === undefined) return undefined
  const start = findStart(text)
  if (start === undefined) throw new ApiError('validation_failed', `Last-Event-ID must be ${POSITION}.`)
  if (timeInId(start.after) >= oldest) return start
  throw new ApiError(
    'validation_failed',
    `Events before ${oldest.toISOString()} are not kept, and the position is older. Read the current state of your objects, then connect without a position.`,
  )
}

function findStart(text: string): Start | undefined {
  const position = findId('pos', text)
  if (position !== undefined) return { after: position }
  const id = findId('evt', text)
  if (id === undefined) return undefined
  // Events that were written at the same time may have become visible after this one.
  return { after: firstIdAt(new Date(timeInId(id).getTime() - SETTLED_AFTER_MS)), skip: id }
}
