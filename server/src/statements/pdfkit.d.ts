// The part of pdfkit that statements use; the package brings no types of its own.
declare module 'pdfkit' {
  import type { Readable } from 'node:stream'

  export interface TextOptions {
    width?: number
    height?: number
    align?: 'left' | 'right'
    lineBreak?: boolean
    features?: readonly string[]
  }
  export interface StructureElement {
    add(child: StructureElement | (() => void)): StructureElement
    end(): void
  }
  export interface StructureOptions {
    actual?: string
    scope?: 'Column' | 'Row'
    title?: string
  }
  export interface PdfDocument extends Readable {
    /** The font in use. Not in pdfkit's manual, but the only way to ask which characters it has. */
    readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } }
    readonly page: {
      width: number
      height: number
      margins: { left: number; right: number; top: number; bottom: number }
    }
    font(name: string): this
    fontSize(size: number): this
    fillColor(colour: string): this
    registerFont(name: string, font: Buffer): this
    text(text: string, x: number, y: number, options?: TextOptions): this
    widthOfString(text: string): number
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    lineWidth(width: number): this
    stroke(colour: string): this
    addPage(): this
    bufferedPageRange(): { start: number; count: number }
    switchToPage(page: number): this
    struct(type: string, children?: (() => void) | (StructureElement | (() => void))[]): StructureElement
    struct(
      type: string,
      options: StructureOptions,
      children?: (() => void) | (StructureElement | (() => void))[],
    ): StructureElement
    addStructure(element: StructureElement): this
    markContent(tag: 'Artifact', options?: { type: 'Pagination' | 'Layout' }): this
    endMarkedContent(): this
    end(): void
  }
  const PDFDocument: new (options: {
    size: string
    layout: 'landscape'
    margins: { top: number; bottom: number; left: number; right: number }
    pdfVersion: '1.7'
    subset: 'PDF/UA'
    tagged: true
    lang: string
    displayTitle: true
    bufferPages: true
    font: null
    info: { Title: string; CreationDate: Date }
  }) => PdfDocument
  export default PDFDocument
}
