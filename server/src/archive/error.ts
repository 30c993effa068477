// Why entries could not be archived, and what to do.
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}
