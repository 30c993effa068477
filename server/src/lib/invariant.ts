// Checks conditions that hold whatever the input is. A failure is a bug in this program, never the caller's mistake.
export class InvariantError extends Error {
  override name = 'InvariantError'
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** Returns the value, such as the row that a statement always returns, or throws if there is none. */
export function must<Value>(value: Value | undefined): Value {
  invariant(value !== undefined, 'expected a value')
  return value
}
