// Counts the calls of an issuer by their kind, and says how many more of each may be made. Requests have a circuit together and
// one for each kind, so that a kind that hangs stops alone; look-ups have one of their own, because their answers say nothing
// about requests. It makes no calls.
import { createCircuit, type Circuit, type CircuitState } from './circuit.ts'

export const OPERATION_KINDS = ['issue', 'topup', 'service'] as const
export const CALL_KINDS = [...OPERATION_KINDS, 'invoice', 'card_status', 'look_up'] as const

/** All but `look_up` ask the issuer to do something, and leave an unknown outcome if they are not answered. */
export type CallKind = (typeof CALL_KINDS)[number]

interface Line {
  readonly circuit: Circuit
  taken: number
  isTrialTaken: boolean
}

/** Permission for a number of calls. It is used up by calls that end, and by giving back what is not needed. */
export interface Hold {
  /** The most calls of all kinds together. */
  readonly count: number
  /** The most calls of each kind. */
  readonly limits: ReadonlyMap<CallKind, number>
  /** Gives so many back. */
  giveBack(count: number): void
  /** Gives everything back but one call of each of these kinds. */
  keep(kinds: readonly CallKind[]): void
  /** A call of this kind has ended. `isAnswer`: it shows that such calls work. */
  end(kind: CallKind, isAnswer: boolean): void
}

export interface Lines {
  stateOf(kind: CallKind): CircuitState
  /**
   * Whether calls of this kind wait now. A kind that stopped alone and whose trial is due does not: nothing may ask for it for days,
   * and the next one that comes is sent at once.
   */
  isStopped(kind: CallKind): boolean
  /** When a call of this kind may be tried; undefined while they are not stopped. */
  trialAtMs(kind: CallKind): number | undefined
  /** Returns permission for up to so many calls, all of them requests or all of them look-ups. */
  take(wanted: number, kinds: readonly CallKind[]): Hold
  /** Returns permission for so many calls even while they are stopped. They count for the circuits and take no room. */
  takeUrgently(count: number, kind: CallKind): Hold
}

export interface LineOptions {
  callsMax: number
  callsAtFirst: number
  nowMs(): number
}

export function createLines({ callsMax, callsAtFirst, nowMs }: LineOptions): Lines {
  const createLine = (atFirst: number): Line => ({
    circuit: createCircuit(callsMax, atFirst),
    taken: 0,
    isTrialTaken: false,
  })
  const requests = createLine(callsAtFirst)
  const own = new Map(CALL_KINDS.map((kind) => [kind, createLine(kind === 'look_up' ? callsMax : callsAtFirst)]))
  const linesOf = (kind: CallKind): readonly Line[] => {
    const line = own.get(kind) as Line
    return kind === 'look_up' ? [line] : [requests, line]
  }
  const stateOf = (kind: CallKind): CircuitState => {
    const states = new Set(linesOf(kind).map(({ circuit }) => circuit.state(nowMs())))
    if (states.has('open')) return 'open'
    return states.has('trial') ? 'trial' : 'closed'
  }
  return {
    stateOf,
    isStopped(kind) {
      const [shared, alone] = linesOf(kind).map(({ circuit }) => circuit.state(nowMs()))
      return shared !== 'closed' || alone === 'open'
    },
    trialAtMs(kind) {
      const times = linesOf(kind).flatMap(({ circuit }) => circuit.trialAtMs() ?? [])
      return times.length === 0 ? undefined : Math.max(...times)
    },
    take: (wanted, kinds) => createHold(share(wanted, kinds, linesOf, nowMs()), { linesOf, nowMs }),
    takeUrgently(count, kind) {
      return createHold({ count, limits: new Map([[kind, count]]), held: new Map() }, { linesOf, nowMs })
    },
  }
}

interface Share extends Pick<Hold, 'count' | 'limits'> {
  /** What is taken of each line. */
  readonly held: Map<Line, number>
}

interface HoldOptions {
  linesOf(kind: CallKind): readonly Line[]
  nowMs(): number
}

function createHold({ count, limits, held }: Share, { linesOf, nowMs }: HoldOptions): Hold {
  const trials = new Set([...held.keys()].filter(({ circuit }) => circuit.state(nowMs()) === 'trial'))
  for (const [line, number] of held) line.taken += number
  for (const line of trials) line.isTrialTaken = true
  let left = count
  const shrink = (line: Line, number: number) => {
    const most = held.get(line)
    if (most === undefined || number === 0) return
    const rest = most - number
    held.set(line, rest)
    line.taken -= number
    if (rest === 0 && trials.has(line)) line.isTrialTaken = false
  }
  return {
    count,
    limits,
    giveBack(number) {
      left -= number
      for (const [line, most] of held) shrink(line, Math.max(0, most - left))
    },
    keep(kept) {
      left = kept.length
      for (const [line, most] of held) shrink(line, most - kept.filter((kind) => linesOf(kind).includes(line)).length)
    },
    end(kind, isAnswer) {
      left -= 1
      for (const line of linesOf(kind)) {
        if (isAnswer) line.circuit.recordAnswer()
        else line.circuit.recordFailure(nowMs(), trials.has(line))
        shrink(line, 1)
      }
    },
  }
}

/** Decides how many calls there may be of each kind, and of all together, and how many that takes of each line. */
function share(wanted: number, kinds: readonly CallKind[], linesOf: HoldOptions['linesOf'], nowMs: number): Share {
  const rooms = kinds.map((kind) => Math.min(wanted, ...linesOf(kind).map((line) => roomOf(line, nowMs))))
  const [first] = kinds.map((kind) => linesOf(kind)[0])
  const sum = rooms.reduce((total, room) => total + room, 0)
  const count = first === undefined ? 0 : Math.min(wanted, sum, roomOf(first, nowMs))
  const limits = new Map(kinds.map((kind, index) => [kind, Math.min(count, rooms[index] ?? 0)]))
  const held = new Map<Line, number>()
  for (const [kind, limit] of limits) {
    const [shared, line] = linesOf(kind)
    if (shared !== undefined && count > 0) held.set(shared, count)
    if (line !== undefined && limit > 0) held.set(line, limit)
  }
  return { count, limits, held }
}

function roomOf({ circuit, taken, isTrialTaken }: Line, nowMs: number): number {
  switch (circuit.state(nowMs)) {
    case 'closed':
      return Math.max(0, circuit.room() - taken)
    case 'trial':
      return isTrialTaken ? 0 : 1
    case 'open':
      return 0
  }
}
