// What `@cardstock/sdk/csv` offers: reading and writing CSV (RFC 4180). Text that a spreadsheet would take for a formula is written with a
// quote before it, and the reader removes that quote, so that a file can be written, corrected in a spreadsheet and read again.
export { CsvError, parseCsv } from './csv/read.ts'
export { toCsvCell, toCsvLine } from './csv/write.ts'
