// Shares one call among all callers that arrive while it is in flight.
export function shareWhileUnderWay<Value>(call: () => Promise<Value>): () => Promise<Value> {
  let underWay: Promise<Value> | undefined
  return () =>
    (underWay ??= call().finally(() => {
      underWay = undefined
    }))
}
