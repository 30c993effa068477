// The error of the private database. Its message tells the person who started the server what happened and what to do. It
// must never contain the password.

export class PrivatePostgresError extends Error {
  override name = 'PrivatePostgresError'
}

/** Another process has started the database of the folder. */
export class FolderInUseError extends PrivatePostgresError {}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
