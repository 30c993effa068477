// One call for all who ask while it is under way.
export function shareWhileUnderWay<Value>(call: () => Promise<Value>): () => Promise<Value> {
  let underWay: Promise<Value> | undefined
  return () =>
    (underWay ??= call().finally(() => {
      underWay = undefined
    }))
}
