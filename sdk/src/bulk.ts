// What `@cardstock/sdk/bulk` offers: many cards issued or topped up from one CSV file. The command line and the console use it. It is an
// entrance of its own, so that only programs that need it load it.
export { type BulkCalls, checkBulk, type BulkOptions } from './bulk/check.ts'
export {
  BULK_BATCH_LENGTH_MAX,
  BULK_BYTES_MAX,
  BULK_ROWS_MAX,
  type BulkFile,
  BulkFileError,
  type BulkRow,
  type BulkType,
  bulkTemplate,
  parseBulk,
} from './bulk/file.ts'
export { type BulkItem, type BulkState, type BulkSummary, summarizeBulk, toBulkResult } from './bulk/item.ts'
export { type BulkSent, sendBulk } from './bulk/send.ts'
