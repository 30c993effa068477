// Writes a statement as PDF: tagged for screen readers, with every font embedded (PDF/UA) and the same figures as the JSON document.
// Runs in a worker thread (worker.ts).
import type { Statement, StatementEntry } from '@cardstock/sdk'
import { type Subjects, titleOf } from '../subjects.ts'
import { PAGE_HEIGHT, PAGE_WIDTH, PdfDocument, type Tag, widthOf } from './document.ts'

const MARGIN = 36
const HEADING_SIZE = 16
const SUMMARY_SIZE = 9
const SUMMARY_HEIGHT = 14
const TABLE_SIZE = 7
const ROW_HEIGHT = 12
const FOOTER_SIZE = 7
const FOOTER_HEIGHT = 20
/** The space between the text of a cell and the next column. */
const CELL_GAP = 6

interface Column {
  readonly title: string
  readonly width: number
  readonly align: 'left' | 'right'
  cell(entry: StatementEntry, subjects: Subjects): string
}

/** The columns are 770 points wide together: the width of a landscape A4 page without its margins. */
const COLUMNS: readonly Column[] = [
  { title: 'Time (UTC)', width: 98, align: 'left', cell: ({ createdAt }) => createdAt.slice(0, -1).replace('T', ' ') },
  { title: 'Kind', width: 50, align: 'left', cell: ({ kind }) => kind },
  { title: 'Description', width: 194, align: 'left', cell: titleOf },
  { title: 'Reference', width: 168, align: 'left', cell: ({ reference }) => reference },
  { title: 'Amount', width: 65, align: 'right', cell: ({ amount }) => groupThousands(amount) },
  { title: 'Balance', width: 65, align: 'right', cell: ({ balance }) => groupThousands(balance) },
  { title: 'Available', width: 65, align: 'right', cell: ({ availableDelta }) => groupThousands(availableDelta) },
  { title: 'Held', width: 65, align: 'right', cell: ({ heldDelta }) => groupThousands(heldDelta) },
]

export function groupThousands(figure: string): string {
  return figure.replaceAll(/\B(?=(\d{3})+\.)/g, ',')
}

export function writePdf(statement: Statement, subjects: Subjects): Buffer {
  const { from, to, generatedAt } = statement
  const document = new PdfDocument({
    title: `Card account statement ${from} to ${to}`,
    createdAt: new Date(generatedAt),
  })
  const footer = createFooter(document, statement)
  document.beginPage()
  const y = writeHead(document, statement)
  writeTable(document, statement, subjects, { y, footer })
  footer()
  document.endPage()
  return document.finish()
}

/** Writes the heading, the account and the totals, which a reader looks for first. Returns where the table begins. */
function writeHead(document: PdfDocument, statement: Statement): number {
  const { company, currency, root } = { ...statement, root: document.root }
  const heading = document.layOut('Card account statement')
  document.addText('H1', root, heading, { x: MARGIN, y: MARGIN, size: HEADING_SIZE })
  const total = (figure: string) => `${groupThousands(figure)} ${currency}`
  const summary: readonly (readonly [string, string])[] = [
    ['Company', `${company.name} (${company.id})`],
    ['Environment', statement.environment],
    ['From and to', `${statement.from} to ${statement.to}, whole days, UTC`],
    ['Opening balance', total(statement.openingBalance)],
    ['Incoming', total(statement.incoming)],
    ['Outgoing', total(statement.outgoing)],
    ['Closing balance', total(statement.closingBalance)],
    ['Entries', String(statement.data.length)],
    ['Generated at', statement.generatedAt],
    ['Digest of the JSON form', statement.proof.digest],
  ]
  let y = MARGIN + HEADING_SIZE + 12
  for (const [label, value] of summary) {
    const text = `${label}: ${value}`
    const place = { x: MARGIN, y, size: SUMMARY_SIZE }
    document.addText('P', root, document.layOut(text), place, { actual: text })
    y += SUMMARY_HEIGHT
  }
  return y + 8
}

const TABLE_BOTTOM = PAGE_HEIGHT - MARGIN - FOOTER_HEIGHT
const HEAD_BOTTOM = MARGIN + HEADING_SIZE + 12 + 10 * SUMMARY_HEIGHT + 8

function writeTable(
  document: PdfDocument,
  { data }: Statement,
  subjects: Subjects,
  { y: top, footer }: { y: number; footer: () => void },
): void {
  const table = document.addTag('Table', document.root)
  let y = writeTitles(document, table, top)
  for (const entry of data) {
    if (y + ROW_HEIGHT > TABLE_BOTTOM) {
      footer()
      document.endPage()
      document.beginPage()
      y = drawTitles(document)
    }
    writeRow(document, table, { entry, subjects, y })
    y += ROW_HEIGHT
  }
}

function writeTitles(document: PdfDocument, table: Tag, y: number): number {
  const row = document.addTag('TR', table)
  const attributes = '/A << /O /Table /Scope /Column >> '
  for (const { text, place } of placeTitles(document, y)) document.addText('TH', row, text, place, { attributes })
  document.drawRule(y + ROW_HEIGHT - 3, MARGIN, PAGE_WIDTH - MARGIN)
  return y + ROW_HEIGHT
}

/** Repeats the column titles on each page. Screen readers skip them, because for them it is one table with one row of titles. */
function drawTitles(document: PdfDocument): number {
  for (const { text, place } of placeTitles(document, MARGIN)) document.drawText(text, place)
  document.drawRule(MARGIN + ROW_HEIGHT - 3, MARGIN, PAGE_WIDTH - MARGIN)
  return MARGIN + ROW_HEIGHT
}

function placeTitles(document: PdfDocument, y: number) {
  let left = MARGIN
  return COLUMNS.map((column) => {
    const placed = placeCell(document, column, column.title, { left, y })
    left += column.width
    return placed
  })
}

function writeRow(
  document: PdfDocument,
  table: Tag,
  { entry, subjects, y }: { entry: StatementEntry; subjects: Subjects; y: number },
): void {
  const row = document.addTag('TR', table)
  let left = MARGIN
  for (const column of COLUMNS) {
    const whole = column.cell(entry, subjects)
    const { text, place, isExact } = placeCell(document, column, whole, { left, y })
    document.addText('TD', row, text, place, isExact ? {} : { actual: whole })
    left += column.width
  }
}

/** Text that is too wide is cut off. A figure is never cut off; it is set smaller. */
function placeCell(
  document: PdfDocument,
  { width, align }: Column,
  whole: string,
  { left, y }: { left: number; y: number },
) {
  if (align === 'left') {
    return { ...document.layOutWithin(whole, width - CELL_GAP, TABLE_SIZE), place: { x: left, y, size: TABLE_SIZE } }
  }
  const text = document.layOut(whole)
  const size = Math.min(TABLE_SIZE, (width - CELL_GAP) / widthOf(text))
  return { text, isExact: true, place: { x: left + width - widthOf(text) * size, y, size } }
}

/** Returns a function that writes the footer of the current page, and counts the pages. */
function createFooter(document: PdfDocument, { company, from, to, data }: Statement): () => void {
  const rowsOn = (top: number) => Math.floor((TABLE_BOTTOM - top - ROW_HEIGHT) / ROW_HEIGHT)
  const count = 1 + Math.max(0, Math.ceil((data.length - rowsOn(HEAD_BOTTOM)) / rowsOn(MARGIN)))
  let page = 0
  return () => {
    page += 1
    const text = `Page ${page} of ${count}. Card account statement of ${company.id}, ${from} to ${to}`
    const y = PAGE_HEIGHT - MARGIN - FOOTER_SIZE - 2
    document.drawText(document.layOut(text), { x: MARGIN, y, size: FOOTER_SIZE })
  }
}
