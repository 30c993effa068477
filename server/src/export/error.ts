// Why a company's data could not be exported, and what to do.
export class ExportError extends Error {
  override name = 'ExportError'
}
