// A statement as PDF: tagged for screen readers, every font embedded (PDF/UA), the figures of the document as they are.
import PDFDocument, { type PdfDocument, type StructureElement } from 'pdfkit'
import type { Statement, StatementEntry } from './document.ts'
import { useMainFont, writeLine } from './pdf-fonts.ts'

const MARGIN = 36
const HEADING_SIZE = 16
const SUMMARY_SIZE = 9
const SUMMARY_HEIGHT = 14
const TABLE_SIZE = 7
const ROW_HEIGHT = 12
const FOOTER_SIZE = 7
const FOOTER_HEIGHT = 20
const GREY = '#595959' // 7:1 on white

interface Column {
  readonly title: string
  readonly width: number
  readonly align: 'left' | 'right'
  cell(entry: StatementEntry): string
}

/** Together 770 points: an A4 page across, less its margins. */
const COLUMNS: readonly Column[] = [
  { title: 'Time (UTC)', width: 100, align: 'left', cell: (entry) => entry.createdAt },
  { title: 'Kind', width: 55, align: 'left', cell: (entry) => entry.kind },
  { title: 'Description', width: 160, align: 'left', cell: (entry) => entry.description },
  { title: 'Reference', width: 167, align: 'left', cell: (entry) => entry.reference },
  { title: 'Amount', width: 72, align: 'right', cell: (entry) => entry.amount },
  { title: 'Balance', width: 72, align: 'right', cell: (entry) => entry.balance },
  { title: 'Available', width: 72, align: 'right', cell: (entry) => entry.availableDelta },
  { title: 'Held', width: 72, align: 'right', cell: (entry) => entry.heldDelta },
]

export async function writePdf(statement: Statement): Promise<Buffer> {
  const document = createDocument(statement)
  useMainFont(document)
  const chunks: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', resolve)
    document.on('error', reject)
  })
  const root = document.struct('Document')
  document.addStructure(root)
  const y = writeHead(document, root, statement)
  await writeTable(document, root, { statement, y })
  root.end()
  writeFooters(document, statement)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

function createDocument(statement: Statement): PdfDocument {
  return new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margins: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    bufferPages: true,
    // No standard font: those are not embedded.
    font: null,
    info: {
      Title: `Card account statement ${statement.from} to ${statement.to}`,
      CreationDate: new Date(statement.generatedAt),
    },
  })
}

/** Heading, whose account, and the totals, which a reader looks for first. Returns where the table begins. */
function writeHead(document: PdfDocument, root: StructureElement, statement: Statement): number {
  const { company, currency } = statement
  root.add(
    document.struct('H1', () => {
      document.fontSize(HEADING_SIZE).text('Card account statement', MARGIN, MARGIN, { lineBreak: false })
    }),
  )
  const lines: readonly (readonly [string, string])[] = [
    ['Company', `${company.name} (${company.id})`],
    ['Environment', statement.environment],
    ['From and to', `${statement.from} to ${statement.to}, whole days, UTC`],
    ['Opening balance', `${statement.openingBalance} ${currency}`],
    ['Incoming', `${statement.incoming} ${currency}`],
    ['Outgoing', `${statement.outgoing} ${currency}`],
    ['Closing balance', `${statement.closingBalance} ${currency}`],
    ['Entries', String(statement.data.length)],
    ['Generated at', statement.generatedAt],
    ['Digest of the JSON form', statement.proof.digest],
  ]
  let y = MARGIN + HEADING_SIZE + 12
  document.fontSize(SUMMARY_SIZE)
  for (const [label, value] of lines) {
    const at = y
    const text = `${label}: ${value}`
    root.add(document.struct('P', { actual: text }, () => writeLine(document, text, { x: MARGIN, y: at })))
    y += SUMMARY_HEIGHT
  }
  return y + 8
}

async function writeTable(
  document: PdfDocument,
  root: StructureElement,
  { statement, y: top }: { statement: Statement; y: number },
): Promise<void> {
  const bottom = document.page.height - MARGIN - FOOTER_HEIGHT
  const table = document.struct('Table')
  root.add(table)
  let y = writeTitles(document, table, top)
  const write = writeRow(document)
  for (const entry of statement.data) {
    if (y + ROW_HEIGHT > bottom) {
      document.addPage()
      // A statement of ten thousand entries takes seconds: others are served between its pages.
      await new Promise((resolve) => setImmediate(resolve))
      y = drawTitles(document)
    }
    write(table, entry, y)
    y += ROW_HEIGHT
  }
  table.end()
}

function writeTitles(document: PdfDocument, table: StructureElement, y: number): number {
  const cells = placeCells((column) => column.title, widthOf(document)).map(({ text, x }) =>
    document.struct('TH', { scope: 'Column' }, () => document.text(text, x, y, { lineBreak: false })),
  )
  document.fontSize(TABLE_SIZE)
  table.add(document.struct('TR', cells))
  drawRule(document, y)
  return y + ROW_HEIGHT
}

/** Repeated titles are for the eye only: to a screen reader the table is one, with one row of titles. */
function drawTitles(document: PdfDocument): number {
  document.fontSize(TABLE_SIZE).markContent('Artifact', { type: 'Pagination' })
  for (const { text, x } of placeCells((column) => column.title, widthOf(document))) {
    document.text(text, x, MARGIN, { lineBreak: false })
  }
  document.endMarkedContent()
  drawRule(document, MARGIN)
  return MARGIN + ROW_HEIGHT
}

function drawRule(document: PdfDocument, y: number): void {
  document.markContent('Artifact', { type: 'Layout' })
  const below = y + ROW_HEIGHT - 3
  document
    .moveTo(MARGIN, below)
    .lineTo(document.page.width - MARGIN, below)
    .lineWidth(0.5)
    .stroke(GREY)
  document.endMarkedContent()
}

function writeRow(document: PdfDocument) {
  const measure = widthOf(document)
  return (table: StructureElement, entry: StatementEntry, y: number) => {
    const cells = placeCells((column) => column.cell(entry), measure).map(({ text, x }) =>
      document.struct('TD', () => document.text(text, x, y, { lineBreak: false })),
    )
    table.add(document.struct('TR', cells))
  }
}

function placeCells(
  textOf: (column: Column) => string,
  measure: (text: string) => number,
): { text: string; x: number }[] {
  let left = MARGIN
  return COLUMNS.map((column) => {
    const text = textOf(column)
    const x = column.align === 'left' ? left : left + column.width - measure(text)
    left += column.width
    return { text, x }
  })
}

/** By character: laying the whole text out a second time would double the time of a statement. */
function widthOf(document: PdfDocument): (text: string) => number {
  const widths = new Map<string, number>()
  return (text) => {
    let width = 0
    for (const character of text) {
      const known = widths.get(character) ?? document.fontSize(TABLE_SIZE).widthOfString(character)
      widths.set(character, known)
      width += known
    }
    return width
  }
}

function writeFooters(document: PdfDocument, { company, from, to }: Statement): void {
  const { start, count } = document.bufferedPageRange()
  for (let page = start; page < start + count; page += 1) {
    document.switchToPage(page)
    document.fontSize(FOOTER_SIZE).fillColor(GREY).markContent('Artifact', { type: 'Pagination' })
    const text = `Page ${page + 1} of ${count}. Card account statement of ${company.id}, ${from} to ${to}`
    document.text(text, MARGIN, document.page.height - MARGIN - FOOTER_SIZE - 2, { lineBreak: false })
    document.endMarkedContent()
  }
}
