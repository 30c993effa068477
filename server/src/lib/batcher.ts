// Gathers calls that arrive while a batch is under way into the next batch. No timer: an idle caller waits for nobody,
// and the busier it gets the larger the batches.

/** Below this a batch's own cost outweighs what is won by running two of them side by side (measured). */
const SHARE_MIN = 32

export class QueueFullError extends Error {
  override name = 'QueueFullError'
}

export interface BatcherOptions<Item, Result> {
  /** Answers in the order of the items. */
  run(items: readonly Item[]): Promise<readonly Result[]>
  sizeMax: number
  inFlightMax: number
  queueMax: number
  /** Only items of one group go into a batch. */
  groupOf?(item: Item): string
  /** Whether one item may be to blame for the error: then each is run alone, and only that one fails. */
  isOneToBlame?(error: unknown): boolean
}

export interface Batcher<Item, Result> {
  push(item: Item): Promise<Result>
  /** Resolves when nothing is queued or under way. */
  idle(): Promise<void>
}

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { sizeMax, inFlightMax, queueMax } = options
  let queue: Waiting<Item, Result>[] = []
  let inFlight = 0
  let itemsInFlight = 0
  let scheduled = false
  let waitingForIdle: (() => void)[] = []

  const dispatch = () => {
    scheduled = false
    while (inFlight < inFlightMax && queue.length > 0) {
      inFlight += 1
      const { batch, rest } = takeBatch(queue, { ...options, sizeMax: fairSize() })
      queue = rest
      itemsInFlight += batch.length
      void runBatch(batch)
    }
  }
  // One batch's share of all that is waiting or under way: while one batch is being run, this process has the answers of
  // the other to give. If a batch took everything, each side would wait while the other works.
  const fairSize = () => {
    const share = Math.ceil((queue.length + itemsInFlight) / inFlightMax)
    return Math.min(sizeMax, Math.max(SHARE_MIN, share))
  }
  const runBatch = async (batch: Waiting<Item, Result>[]) => {
    await answer(batch, options)
    inFlight -= 1
    itemsInFlight -= batch.length
    if (queue.length > 0) schedule()
    else if (inFlight === 0) settleIdle()
  }
  const settleIdle = () => {
    for (const resolve of waitingForIdle) resolve()
    waitingForIdle = []
  }
  // On setImmediate, so that everything the event loop has read from its sockets in this turn goes together.
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

/** Every item gets its result or its error; this itself never fails. */
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

/** The oldest item and those that may go with it, in order; the rest keeps its order too. */
function takeBatch<Item, Result>(
  queue: Waiting<Item, Result>[],
  { sizeMax, groupOf }: BatcherOptions<Item, Result>,
): { batch: Waiting<Item, Result>[]; rest: Waiting<Item, Result>[] } {
  const [first] = queue
  if (groupOf === undefined || first === undefined)
    return { batch: queue.slice(0, sizeMax), rest: queue.slice(sizeMax) }
  const group = groupOf(first.item)
  const batch: Waiting<Item, Result>[] = []
  const rest = queue.filter((waiting) => {
    if (batch.length >= sizeMax || groupOf(waiting.item) !== group) return true
    batch.push(waiting)
    return false
  })
  return { batch, rest }
}
