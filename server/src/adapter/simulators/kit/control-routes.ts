// The routes with which a person or a test makes a simulated provider misbehave.
import { Type } from 'typebox'
import { ok, publicRoute, type Route } from '../../../http/route.ts'
import { object } from '../../../lib/wire.ts'
import { type Behaviours, EVENT_MODES, type EventWorld, setEvents } from './behaviour.ts'

const Anything = Type.Unknown()

export interface MisbehaviourDeps<RouteId extends string, Mode extends string, Event> {
  readonly routeIds: readonly RouteId[]
  readonly modes: readonly Mode[]
  readonly behaviours: Behaviours<RouteId, Mode>
  readonly world: EventWorld<Event> & { readonly keys: Map<string, unknown> }
}

/** Lists of routes may be long, because they are data. */
export function misbehaviourRoutes<RouteId extends string, Mode extends string, Event>({
  routeIds,
  modes,
  behaviours,
  world,
}: MisbehaviourDeps<RouteId, Mode, Event>): Route[] {
  const tag = 'control'
  return [
    publicRoute({
      method: 'PUT',
      path: '/control/routes/:route/behaviour',
      tag,
      id: 'setRouteBehaviour',
      summary: 'Choose how a call behaves',
      description: 'For so many calls, or until it is set again.',
      params: object({ route: Type.Unsafe<RouteId>(Type.Enum([...routeIds])) }),
      body: object({
        mode: Type.Unsafe<Mode>(Type.Enum([...modes])),
        times: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
      }),
      responses: { 200: Anything },
      handle: async ({ params: { route }, body: { mode, times = null } }) => {
        behaviours.set(route, { mode, times })
        return ok(behaviours.list())
      },
    }),
    publicRoute({
      method: 'PUT',
      path: '/control/events',
      tag,
      id: 'setEvents',
      summary: 'Choose how events are listed',
      description: 'Lost events never come. Withheld ones come when that ends, with the times that they had.',
      body: object({
        mode: Type.Optional(Type.Enum([...EVENT_MODES])),
        lose: Type.Optional(Type.Boolean()),
        withhold: Type.Optional(Type.Boolean()),
      }),
      responses: { 200: Anything },
      handle: async ({ body }) => ok(setEvents(world, body)),
    }),
    publicRoute({
      method: 'POST',
      path: '/control/keys/forget',
      tag,
      id: 'forgetKeys',
      summary: 'Forget all idempotency keys',
      description: 'As if they had expired.',
      body: object({}),
      responses: { 200: Anything },
      handle: async () => {
        const forgotten = world.keys.size
        world.keys.clear()
        return ok({ forgotten })
      },
    }),
  ]
}
