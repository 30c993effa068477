// Limits how long a promise may take.

export class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/**
 * Resolves like the promise, or rejects with DeadlineError after this time. When this process itself was too busy to
 * read the answer in time, an answer that has arrived by then still counts.
 */
export async function withDeadline<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new DeadlineError(`no answer within ${ms} ms`))
    // Timers run before sockets are read, so wait two more turns of the event loop: one to read the socket, one to settle.
    timer = setTimeout(() => setImmediate(() => setImmediate(fail)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
