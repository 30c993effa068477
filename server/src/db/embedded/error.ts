// The error of the private database. Its message tells the person who started the server what happened and what to do. It
// must never contain the password.

export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}

/** Another process has started the database of the folder. */
export class FolderInUseError extends EmbeddedError {}

/** What to do if no private PostgreSQL can be started. */
export const USE_YOUR_OWN = 'set DATABASE_URL=postgres://user:password@host/database (PostgreSQL 15 or newer)'

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
