// What must hold whatever the input was. A failure is our bug, never the caller's.
export class InvariantError extends Error {
  override name = 'InvariantError'
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** The row that a statement must have given. */
export function present<Value>(value: Value | undefined): Value {
  invariant(value !== undefined, 'expected a value')
  return value
}
