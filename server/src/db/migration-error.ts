// A schema that cannot be brought up to date, with a message that says what the operator can do.
export class MigrationError extends Error {
  override name = 'MigrationError'
}
