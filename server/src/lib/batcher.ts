// Gathers calls that arrive while a batch is under way into the next batch. No timer: an idle caller waits for nobody,
// and the busier it gets the larger the batches.

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
  const { run, sizeMax, inFlightMax, queueMax, groupOf } = options
  let queue: Waiting<Item, Result>[] = []
  let inFlight = 0
  let scheduled = false
  let waitingForIdle: (() => void)[] = []

  const take = (): Waiting<Item, Result>[] => {
    const [first] = queue
    if (groupOf === undefined || first === undefined) return queue.splice(0, sizeMax)
    const group = groupOf(first.item)
    const batch: Waiting<Item, Result>[] = []
    queue = queue.filter((waiting) => {
      if (batch.length >= sizeMax || groupOf(waiting.item) !== group) return true
      batch.push(waiting)
      return false
    })
    return batch
  }
  const dispatch = () => {
    scheduled = false
    while (inFlight < inFlightMax && queue.length > 0) {
      inFlight += 1
      void runBatch(take())
    }
  }
  const runBatch = async (batch: Waiting<Item, Result>[]) => {
    try {
      const results = await run(batch.map((waiting) => waiting.item))
      batch.forEach((waiting, index) => waiting.resolve(results[index] as Result))
    } catch (error) {
      for (const waiting of batch) waiting.reject(error)
    } finally {
      inFlight -= 1
      if (queue.length > 0) schedule()
      else if (inFlight === 0) settleIdle()
    }
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
