// The adapter cannot start. The message says what to do.
export class SetUpError extends Error {
  override name = 'SetUpError'
}
