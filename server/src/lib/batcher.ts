// Collects calls that arrive while a batch is in flight into the next batch. A call on an idle batcher does not wait, and batches grow
// with the load.

/** Below this size, the cost of a second batch is higher than the gain of running two in parallel (measured). */
const SHARE_MIN = 32

export class QueueFullError extends Error {
  override name = 'QueueFullError'
}

export interface BatcherOptions<Item, Result> {
  /** Returns the results in the order of the items. */
  run(items: readonly Item[]): Promise<readonly Result[]>
  sizeMax: number
  inFlightMax: number
  queueMax: number
  /** A batch contains only items of one group. */
  groupOf?(item: Item): string
  /** Of one group; `inFlightMax` by default. A group whose batches fail slowly then leaves room for the others. */
  groupInFlightMax?: number
  /** By default a batch begins as soon as there is room for it in flight. */
  gather?: Gather
  /** Whether a single item may have caused the error. Then each item runs alone, and only that item fails. */
  isOneToBlame?(error: unknown): boolean
}

/** Makes batches larger under load, where a small one costs nearly as much as a large one. */
export interface Gather {
  /** With so many items waiting a batch begins at once. With fewer it waits until none is in flight, and for the rest. */
  readonly enough: number
  /** A batch begins no sooner than this after the one before it, if that one had at least `restFrom` items. */
  readonly restMs: number
  readonly restFrom: number
}

export interface Batcher<Item, Result> {
  push(item: Item): Promise<Result>
  /** Resolves when nothing is queued or in flight. */
  idle(): Promise<void>
}

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { sizeMax, inFlightMax, queueMax, groupInFlightMax = inFlightMax } = options
  const groups = createGroups(groupInFlightMax)
  let queue: Waiting<Item, Result>[] = []
  let inFlight = 0
  let itemsInFlight = 0
  let scheduled = false
  let waitingForIdle: (() => void)[] = []

  const gathering = createGathering(options.gather, () => schedule())
  const dispatch = () => {
    scheduled = false
    while (inFlight < inFlightMax && queue.length > 0 && gathering.mayBegin(queue.length, inFlight)) {
      const { batch, rest } = takeBatch(queue, { ...options, sizeMax: fairSize() }, groups.mayRun)
      const [first] = batch
      if (first === undefined) return
      gathering.begin(batch.length)
      inFlight += 1
      queue = rest
      itemsInFlight += batch.length
      void runBatch(batch, options.groupOf?.(first.item) ?? '')
    }
  }
  const fairSize = () => Math.min(sizeMax, shareOf(queue.length + itemsInFlight, groupInFlightMax))
  const runBatch = async (batch: Waiting<Item, Result>[], group: string) => {
    groups.add(group, 1)
    await answer(batch, options)
    groups.add(group, -1)
    inFlight -= 1
    itemsInFlight -= batch.length
    if (queue.length > 0) schedule()
    else if (inFlight === 0) settleIdle()
  }
  const settleIdle = () => {
    for (const resolve of waitingForIdle) resolve()
    waitingForIdle = []
  }
  // Use setImmediate, so that everything that the event loop reads in this turn goes into one batch.
  const schedule = () => {
    if (scheduled || inFlight >= inFlightMax) return
    scheduled = true
    setImmediate(dispatch)
  }
  return {
    push: (item) =>
      new Promise((resolve, reject) => {
        if (queue.length >= queueMax) {
          reject(new QueueFullError(`more than ${queueMax} items are waiting`))
          return
        }
        queue.push({ item, resolve, reject })
        schedule()
      }),
    idle: () =>
      new Promise((resolve) => {
        if (queue.length === 0 && inFlight === 0) resolve()
        else waitingForIdle.push(resolve)
      }),
  }
}

/**
 * A batch takes its share of everything that is waiting or in flight: while the database runs one batch, this process answers the
 * other. If a batch took everything, each side would wait while the other works.
 */
function shareOf(items: number, batches: number): number {
  return Math.max(SHARE_MIN, Math.ceil(items / batches))
}

/** Says when a batch may begin. Calls `wake` when the rest is over for which one could not begin. */
function createGathering(gather: Gather | undefined, wake: () => void) {
  let restUntilMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  return {
    mayBegin(waiting: number, inFlight: number): boolean {
      if (gather === undefined || waiting >= gather.enough) return true
      // The end of a batch in flight asks again.
      if (inFlight > 0) return false
      const leftMs = restUntilMs - performance.now()
      if (leftMs <= 0) return true
      timer ??= setTimeout(() => {
        timer = undefined
        wake()
      }, leftMs)
      return false
    },
    begin(count: number) {
      if (gather !== undefined && count >= gather.restFrom) restUntilMs = performance.now() + gather.restMs
    },
  }
}

/** Counts the batches of each group in flight. */
function createGroups(max: number) {
  const counts = new Map<string, number>()
  return {
    mayRun: (group: string) => (counts.get(group) ?? 0) < max,
    add(group: string, change: 1 | -1) {
      const count = (counts.get(group) ?? 0) + change
      if (count > 0) counts.set(group, count)
      else counts.delete(group)
    },
  }
}

/** Gives every item its result or its error. Never rejects. */
async function answer<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  options: BatcherOptions<Item, Result>,
): Promise<void> {
  try {
    const results = await options.run(batch.map((waiting) => waiting.item))
    batch.forEach((waiting, index) => waiting.resolve(results[index] as Result))
  } catch (error) {
    if (batch.length > 1 && options.isOneToBlame?.(error) === true) {
      for (const waiting of batch) await answer([waiting], options)
    } else {
      for (const waiting of batch) waiting.reject(error)
    }
  }
}

/** Returns the oldest item whose group may run and those of its group, in order. The rest keeps its order. */
function takeBatch<Item, Result>(
  queue: Waiting<Item, Result>[],
  { sizeMax, groupOf }: BatcherOptions<Item, Result>,
  mayRun: (group: string) => boolean,
): { batch: Waiting<Item, Result>[]; rest: Waiting<Item, Result>[] } {
  if (groupOf === undefined) return { batch: queue.slice(0, sizeMax), rest: queue.slice(sizeMax) }
  const first = queue.find(({ item }) => mayRun(groupOf(item)))
  if (first === undefined) return { batch: [], rest: queue }
  const group = groupOf(first.item)
  const batch: Waiting<Item, Result>[] = []
  const rest = queue.filter((waiting) => {
    if (batch.length >= sizeMax || groupOf(waiting.item) !== group) return true
    batch.push(waiting)
    return false
  })
  return { batch, rest }
}
