// How a simulated provider misbehaves: for each route, and in its list of events. Everything is off at first, and stays as it was set until it is
// set again.

export interface Behaviour<Mode extends string> {
  readonly mode: Mode
  /** How many calls it applies to; then the route is normal again. Null: until it is set again. */
  readonly times: number | null
}

export interface Behaviours<RouteId extends string, Mode extends string> {
  set(route: RouteId, behaviour: Behaviour<Mode>): void
  /** Returns the mode of this call, which counts as one of its times. */
  take(route: RouteId): Mode | 'normal'
  list(): Record<string, Behaviour<Mode>>
}

export function createBehaviours<RouteId extends string, Mode extends string>(): Behaviours<RouteId, Mode> {
  const set = new Map<RouteId, Behaviour<Mode>>()
  return {
    set: (route, behaviour) => void set.set(route, behaviour),
    take(route) {
      const behaviour = set.get(route)
      if (behaviour === undefined) return 'normal'
      const { mode, times } = behaviour
      if (times === 1) set.delete(route)
      else if (times !== null) set.set(route, { mode, times: times - 1 })
      return mode
    },
    list: () => Object.fromEntries(set),
  }
}

/** `repeated` lists each event twice, `reordered` lists them in the wrong order. */
export const EVENT_MODES = ['normal', 'repeated', 'reordered'] as const

export interface EventSettings<Event> {
  mode: (typeof EVENT_MODES)[number]
  isLosing: boolean
  isWithholding: boolean
  readonly withheld: Event[]
}

export function createEventSettings<Event>(): EventSettings<Event> {
  return { mode: 'normal', isLosing: false, isWithholding: false, withheld: [] }
}

/** The part of a simulated provider that lists events. */
export interface EventWorld<Event> {
  readonly events: Event[]
  readonly eventSettings: EventSettings<Event>
}

export function addEvent<Event>({ events, eventSettings: settings }: EventWorld<Event>, make: () => Event): void {
  if (settings.isLosing) return
  if (settings.isWithholding) settings.withheld.push(make())
  else events.push(make())
}

export function setEvents<Event>(
  { eventSettings: settings, events }: EventWorld<Event>,
  { mode, lose, withhold }: { mode?: EventSettings<Event>['mode']; lose?: boolean; withhold?: boolean },
): object {
  if (mode !== undefined) settings.mode = mode
  if (lose !== undefined) settings.isLosing = lose
  if (withhold !== undefined) settings.isWithholding = withhold
  if (!settings.isWithholding) events.push(...settings.withheld.splice(0))
  return { mode: settings.mode, lose: settings.isLosing, withhold: settings.isWithholding }
}
