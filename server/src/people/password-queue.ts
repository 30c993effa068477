// Lets a few computations of passwords run at a time, and shares the places in the queue fairly: clients take turns, and whoever has
// most places gives one up for a newcomer when there are none left. No client can fill the queue, whatever it sends.
import { ApiError } from '../errors.ts'
import { QueueFullError } from '../lib/batcher.ts'

/** Two of Node's four threads for such work, so that files and names are still served by the others. */
const RUNNING_MAX = 2
/** The last of them waits about five seconds. More than that is an attack, or a server that is too small. */
const WAITING_MAX = 30
/** Of one client, and of one account at one client. The rest is for others. */
const CLIENT_WAITING_MAX = 15
const ACCOUNT_WAITING_MAX = 5
/** After so long, half of what waits has been computed. */
const RETRY_AFTER_S = 3

/** Whose computation it is. */
export interface Place {
  /** A person, a browser, a link or an address. */
  readonly client: string
  readonly account: string
  /** Whether the client has proved something before. When the queue is full, strangers give way. */
  readonly isKnown: boolean
}

interface Waiting extends Place {
  /** Those of lower turns go first. Each of a client's is in a later turn than the one before. */
  readonly turn: number
  start(): void
  refuse(error: Error): void
}

export type InTurn = <Result>(place: Place, work: () => Promise<Result>) => Promise<Result>

export function createPasswordQueue(): InTurn {
  const waiting: Waiting[] = []
  let running = 0
  let turn = 0

  const enter = (place: Place) =>
    new Promise<void>((start, refuse) => {
      makeRoom(waiting, place)
      const last = waiting.findLast(({ client }) => client === place.client)
      waiting.push({ ...place, turn: (last?.turn ?? turn) + 1, start, refuse })
    })
  const leave = () => {
    const next = waiting.reduce<Waiting | undefined>(
      (best, each) => (best && best.turn <= each.turn ? best : each),
      undefined,
    )
    if (next === undefined) {
      running -= 1
      return
    }
    // The place of the one that ended passes to the next.
    turn = next.turn
    waiting.splice(waiting.indexOf(next), 1)
    next.start()
  }
  return async (place, work) => {
    if (running >= RUNNING_MAX) await enter(place)
    else running += 1
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

/** Refuses the newcomer, or one that waits, if there is no place for both. */
function makeRoom(waiting: Waiting[], newcomer: Place): void {
  const ofClient = waiting.filter(({ client }) => client === newcomer.client)
  const ofAccount = ofClient.filter(({ account }) => account === newcomer.account)
  if (ofAccount.length >= ACCOUNT_WAITING_MAX) throw tooMany()
  if (ofClient.length >= CLIENT_WAITING_MAX) {
    const most = largestGroup(ofClient, ({ account }) => account)
    if (most.length <= ofAccount.length + 1) throw tooMany()
    remove(waiting, most.at(-1))
  } else if (waiting.length >= WAITING_MAX) {
    const strangers = waiting.filter(({ isKnown }) => !isKnown)
    const gives = newcomer.isKnown && strangers.length > 0 ? strangers : waiting
    const most = largestGroup(gives, ({ client }) => client)
    const isFair = most.length > ofClient.length + 1 || gives === strangers
    if (!isFair) throw new QueueFullError('too many passwords are being checked')
    remove(waiting, most.at(-1))
  }
}

function remove(waiting: Waiting[], victim: Waiting | undefined): void {
  if (victim === undefined) return
  waiting.splice(waiting.indexOf(victim), 1)
  victim.refuse(tooMany())
}

function largestGroup(all: readonly Waiting[], nameOf: (each: Waiting) => string): Waiting[] {
  const groups = new Map<string, Waiting[]>()
  for (const each of all) groups.set(nameOf(each), [...(groups.get(nameOf(each)) ?? []), each])
  return [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most), [])
}

function tooMany(): ApiError {
  return new ApiError(
    'rate_limited',
    `Too many passwords are being checked at once. Try again in ${RETRY_AFTER_S} seconds.`,
    {
      headers: { 'retry-after': String(RETRY_AFTER_S) },
    },
  )
}
