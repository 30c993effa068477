// A tagged PDF document (PDF/UA): pages with text and rules, and the structure tree that screen readers walk. Knows nothing
// about statements.
import { PdfFile, toPdfText } from './file.ts'
import { PdfFonts, type Run } from './fonts.ts'

/** Landscape A4, in points. */
export const PAGE_WIDTH = 841.89
export const PAGE_HEIGHT = 595.28
/** As dark a grey as 7:1 on white needs (#595959). */
const GREY = '0.349'
const ELLIPSIS = '…'

/** A node of the structure tree. */
export interface Tag {
  readonly number: number
}

export interface Placed {
  readonly x: number
  /** The top of the text, from the top of the page. */
  readonly y: number
  readonly size: number
}

export class PdfDocument {
  readonly #file = new PdfFile()
  readonly #fonts = new PdfFonts()
  readonly #pagesNumber = this.#file.allocate()
  readonly #resources = this.#file.allocate()
  readonly #treeRoot = this.#file.allocate()
  readonly #pages: number[] = []
  /** One array of structure elements per page, which maps its marked content to them. */
  readonly #parents: number[] = []
  /** Tags that contain other tags: their children, and their text until the children are known. */
  readonly #children = new Map<number, number[]>()
  readonly #branches = new Map<number, string>()
  #content = ''
  #packed: [number, string][] = []
  #marked: number[] = []
  #page = 0
  #fontSize = 0
  readonly root: Tag
  readonly #title: string
  readonly #createdAt: Date

  constructor({ title, createdAt }: { title: string; createdAt: Date }) {
    this.#title = title
    this.#createdAt = createdAt
    this.root = this.#addBranch('Document', { number: this.#treeRoot })
  }

  beginPage(): void {
    this.#page = this.#file.allocate()
    this.#pages.push(this.#page)
    this.#content = ''
    this.#fontSize = 0
    this.#marked = []
  }

  endPage(): void {
    const contents = this.#file.addStream(this.#content)
    this.#file.put(
      this.#page,
      `<< /Type /Page /Parent ${this.#pagesNumber} 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}] /Contents ${contents} 0 R ` +
        `/Resources ${this.#resources} 0 R /StructParents ${this.#pages.length - 1} /Tabs /S >>`,
    )
    const parents = this.#file.allocate()
    this.#parents.push(parents)
    this.#packed.push([parents, `[${this.#marked.map(toReference).join(' ')}]`])
    // Page by page, so that the objects of one page at a time are in memory.
    this.#file.pack(this.#packed)
    this.#packed = []
  }

  /** Adds a tag that has other tags inside. */
  addTag(kind: string, parent: Tag): Tag {
    return this.#addBranch(kind, parent)
  }

  /** Draws text and adds a tag for it. `actual` is what a screen reader reads when glyphs cannot say it. */
  addText(kind: string, parent: Tag, text: readonly Run[], place: Placed, { actual = '', attributes = '' } = {}): void {
    const number = this.#file.allocate()
    const mark = this.#marked.push(number) - 1
    this.#childrenOf(parent).push(number)
    const extra = (actual === '' ? '' : `/ActualText ${toPdfText(actual)} `) + attributes
    this.#packed.push([
      number,
      `<< /S /${kind} /P ${toReference(parent.number)} /Pg ${toReference(this.#page)} /K ${mark} ${extra}>>`,
    ])
    this.#content += `/${kind} <</MCID ${mark}>> BDC\n`
    this.#draw(text, place)
    this.#content += 'EMC\n'
  }

  /** Draws text that screen readers skip, such as page numbers and repeated titles. */
  drawText(text: readonly Run[], place: Placed): void {
    this.#content += `/Artifact <</Type /Pagination>> BDC\n${GREY} g\n`
    this.#draw(text, place)
    this.#content += '0 g\nEMC\n'
  }

  drawRule(y: number, from: number, to: number): void {
    const at = format(PAGE_HEIGHT - y)
    this.#content += `/Artifact <</Type /Layout>> BDC\n0.5 w ${GREY} G ${format(from)} ${at} m ${format(to)} ${at} l S\nEMC\n`
  }

  layOut(text: string): Run[] {
    return this.#fonts.layOut(text)
  }

  /**
   * Lays out text, and cuts it off with an ellipsis if it is wider than `width`. `isExact` is false when the glyphs no longer
   * represent the whole text; then the caller should also pass the actual text.
   */
  layOutWithin(text: string, width: number, size: number): { text: Run[]; isExact: boolean } {
    const whole = this.layOut(text)
    if (widthOf(whole) * size <= width) return { text: whole, isExact: whole.length === 1 && whole[0]?.font === 'F1' }
    const characters = Array.from(text)
    let [low, high] = [0, characters.length]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (widthOf(this.layOut(characters.slice(0, middle).join('') + ELLIPSIS)) * size <= width) low = middle
      else high = middle - 1
    }
    return { text: this.layOut(characters.slice(0, low).join('').trimEnd() + ELLIPSIS), isExact: false }
  }

  finish(): Buffer {
    const file = this.#file
    for (const [number, children] of this.#children) {
      const body = this.#branches.get(number) ?? ''
      this.#packed.push([number, body.replace('CHILDREN', children.map(toReference).join(' '))])
    }
    // A stream numbers its objects with two bytes.
    for (let start = 0; start < this.#packed.length; start += PACK_MAX)
      file.pack(this.#packed.slice(start, start + PACK_MAX))
    const numbers = this.#parents.map((number, index) => `${index} ${toReference(number)}`).join(' ')
    const parentTree = file.add(`<< /Nums [${numbers}] >>`)
    file.put(
      this.#treeRoot,
      `<< /Type /StructTreeRoot /K ${toReference(this.root.number)} /ParentTree ${toReference(parentTree)} ` +
        `/ParentTreeNextKey ${this.#parents.length} >>`,
    )
    file.put(this.#resources, `<< /Font << ${this.#fonts.embed(file)} >> >>`)
    const kids = this.#pages.map(toReference).join(' ')
    file.put(this.#pagesNumber, `<< /Type /Pages /Kids [${kids}] /Count ${this.#pages.length} >>`)
    const metadata = file.addPlainStream(writeMetadata(this.#title, this.#createdAt), '/Type /Metadata /Subtype /XML ')
    const root = file.add(
      `<< /Type /Catalog /Pages ${toReference(this.#pagesNumber)} /Lang (en) /MarkInfo << /Marked true >> ` +
        `/StructTreeRoot ${toReference(this.#treeRoot)} /Metadata ${toReference(metadata)} /ViewerPreferences << /DisplayDocTitle true >> >>`,
    )
    const info = file.add(`<< /Title ${toPdfText(this.#title)} /CreationDate (${toPdfDate(this.#createdAt)}) >>`)
    return file.finish(`/Root ${toReference(root)} /Info ${toReference(info)}`)
  }

  #addBranch(kind: string, parent: Tag): Tag {
    const number = this.#file.allocate()
    if (parent.number !== this.#treeRoot) this.#childrenOf(parent).push(number)
    this.#children.set(number, [])
    this.#branches.set(number, `<< /S /${kind} /P ${toReference(parent.number)} /K [CHILDREN] >>`)
    return { number }
  }

  #childrenOf(parent: Tag): number[] {
    const children = this.#children.get(parent.number)
    if (children === undefined) throw new TypeError('the parent of a tag is not a tag of this document')
    return children
  }

  #draw(text: readonly Run[], { x, y, size }: Placed): void {
    const baseline = format(PAGE_HEIGHT - y - this.#fonts.ascent * size)
    let at = x
    for (const { font, codes, width } of text) {
      const key = font === 'F1' ? size : -size
      const select = key === this.#fontSize ? '' : `/${font} ${format(size)} Tf `
      this.#fontSize = key
      this.#content += `BT ${select}1 0 0 1 ${format(at)} ${baseline} Tm [<${codes}>] TJ ET\n`
      at += width * size
    }
  }
}

/** Objects per stream, which numbers them with two bytes. */
const PACK_MAX = 10_000

/** Returns the width of laid out text at size 1. */
export function widthOf(text: readonly Run[]): number {
  return text.reduce((sum, { width }) => sum + width, 0)
}

function toReference(number: number): string {
  return `${number} 0 R`
}

function format(points: number): string {
  return String(Math.round(points * 100) / 100)
}

function toPdfDate(at: Date): string {
  return `D:${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`
}

/** PDF/UA demands metadata that name the title and the standard. The title must not hold characters special to XML. */
function writeMetadata(title: string, createdAt: Date): string {
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title>
<xmp:CreateDate>${createdAt.toISOString()}</xmp:CreateDate>
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`
}
