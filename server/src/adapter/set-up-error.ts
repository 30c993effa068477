// Why the adapter cannot use what it was set up with.

/** The adapter cannot start. The message says what to do. */
export class SetUpError extends Error {
  override name = 'SetUpError'
}

/** The provider cannot be asked at the moment, so nobody knows whether the settings are right. */
export class UnreachableError extends Error {
  override name = 'UnreachableError'
}
