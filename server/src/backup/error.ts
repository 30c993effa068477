// Why a backup could not be made or restored, and what to do.
export class BackupError extends Error {
  override name = 'BackupError'
}
