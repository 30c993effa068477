// Turns text of any script into glyphs of embedded fonts: DejaVu Sans (Latin, Greek, Cyrillic, Hebrew, Arabic, Georgian …)
// and, for the characters that it lacks, GNU Unifont (all of the basic plane: Chinese, Japanese, Korean, Thai,
// Devanagari …). Both may be embedded (their licences come with their packages). A character that neither has is drawn as
// U+FFFD; the tagged text keeps the true character.
//
// Widths and codes are computed once per character. Laying out every cell separately was most of the 6.9 seconds that
// a statement of ten thousand entries used to take.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font, type Glyph, type Subset } from 'fontkit'
import { type PdfFile } from './file.ts'
import { unpackWoff } from './woff.ts'

const PATHS = {
  F1: '@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff',
  F2: '@fontsource/unifont/files/unifont-latin-400-normal.woff',
} as const
type FontName = keyof typeof PATHS

const REPLACEMENT = '\uFFFD'
/** Characters of these scripts neither join nor reorder, so each has one glyph: Latin, Greek, Cyrillic, punctuation, currencies. */
const SIMPLE = /^[\u0020-\u007e\u00a0-\u024f\u0370-\u052f\u2010-\u2027\u20a0-\u20bf]*$/
/** PDF measures glyphs in thousandths of the font size. */
const GLYPH_UNITS = 1000

/** A piece of text in one font: its glyph codes in hex, and its width at size 1. */
export interface Run {
  readonly font: FontName
  readonly codes: string
  readonly width: number
}

interface Code {
  readonly hex: string
  readonly width: number
}

export class PdfFonts {
  readonly #embedded = new Map<FontName, EmbeddedFont>()
  readonly #characters = new Map<string, Code>()

  /** Heights above and below the baseline at size 1. */
  get ascent(): number {
    return this.#font('F1').ascent
  }

  layOut(text: string): Run[] {
    return SIMPLE.test(text) ? [this.#layOutSimple(text)] : this.#layOutAny(text.replaceAll(/\p{Cc}/gu, REPLACEMENT))
  }

  /** Writes the fonts that were used and returns the entries of the pages' font resources. */
  embed(file: PdfFile): string {
    return [...this.#embedded].map(([name, font]) => `/${name} ${font.write(file)} 0 R`).join(' ')
  }

  #layOutSimple(text: string): Run {
    let codes = ''
    let width = 0
    for (let index = 0; index < text.length; index += 1) {
      const character = text.charAt(index)
      const code = this.#characters.get(character) ?? this.#addCharacter(character)
      codes += code.hex
      width += code.width
    }
    return { font: 'F1', codes, width }
  }

  #addCharacter(character: string): Code {
    const font = this.#font('F1')
    const code = font.encode(font.glyphOf(character))
    this.#characters.set(character, code)
    return code
  }

  #layOutAny(text: string): Run[] {
    const pieces: { font: FontName; text: string }[] = []
    for (const character of text) {
      const { font, drawn } = this.#chooseFont(character)
      const last = pieces.at(-1)
      if (last?.font === font) last.text += drawn
      else pieces.push({ font, text: drawn })
    }
    return pieces.map(({ font, text: piece }) => {
      const codes = this.#font(font).layOut(piece)
      return {
        font,
        codes: codes.map(({ hex }) => hex).join(''),
        width: codes.reduce((sum, { width }) => sum + width, 0),
      }
    })
  }

  #chooseFont(character: string): { font: FontName; drawn: string } {
    if (this.#font('F1').has(character)) return { font: 'F1', drawn: character }
    // Loaded only for text that needs it: it is four times as large.
    return { font: 'F2', drawn: this.#font('F2').has(character) ? character : REPLACEMENT }
  }

  #font(name: FontName): EmbeddedFont {
    let font = this.#embedded.get(name)
    if (font === undefined) {
      font = new EmbeddedFont(create(unpackWoff(readFileSync(createRequire(import.meta.url).resolve(PATHS[name])))))
      this.#embedded.set(name, font)
    }
    return font
  }
}

/** One font, reduced to the glyphs that are used. */
class EmbeddedFont {
  readonly #font: Font
  readonly #subset: Subset
  readonly #codes = new Map<number, Code>()
  /** By code: the width, and the text that the glyph stands for. */
  readonly #widths: number[] = [0]
  readonly #texts: string[] = ['']

  constructor(font: Font) {
    this.#font = font
    this.#subset = font.createSubset()
  }

  get ascent(): number {
    return this.#font.ascent / this.#font.unitsPerEm
  }

  has(character: string): boolean {
    return this.#font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  }

  glyphOf(character: string): Glyph {
    return this.#font.glyphForCodePoint(character.codePointAt(0) ?? 0)
  }

  /** Shapes the text: joins Arabic letters, puts right-to-left runs in drawing order, uses ligatures. */
  layOut(text: string): Code[] {
    return this.#font.layout(text).glyphs.map((glyph) => this.encode(glyph))
  }

  encode(glyph: Glyph): Code {
    let code = this.#codes.get(glyph.id)
    if (code === undefined) {
      const number = this.#subset.includeGlyph(glyph.id)
      const width = glyph.advanceWidth / this.#font.unitsPerEm
      this.#widths[number] = width
      this.#texts[number] = String.fromCodePoint(...glyph.codePoints)
      code = { hex: number.toString(16).padStart(4, '0'), width }
      this.#codes.set(glyph.id, code)
    }
    return code
  }

  write(file: PdfFile): number {
    const { bbox, ascent, descent, italicAngle, postscriptName, unitsPerEm } = this.#font
    const scale = (value: number) => Math.round((value * GLYPH_UNITS) / unitsPerEm)
    const data = this.#subset.encode()
    const fontFile = file.addStream(data, `/Length1 ${data.length} `)
    // The six letters mark a subset; a file has each font once, so they need not differ.
    const name = `/SUBSET+${postscriptName}`
    const box = [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map(scale).join(' ')
    const descriptor = file.add(
      `<< /Type /FontDescriptor /FontName ${name} /Flags 4 /FontBBox [${box}] /ItalicAngle ${italicAngle} ` +
        `/Ascent ${scale(ascent)} /Descent ${scale(descent)} /CapHeight ${scale(ascent)} /StemV 80 /FontFile2 ${fontFile} 0 R >>`,
    )
    const widths = Array.from(this.#widths, (width) => Math.round(width * GLYPH_UNITS)).join(' ')
    const descendant = file.add(
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont ${name} /CIDToGIDMap /Identity /FontDescriptor ${descriptor} 0 R ` +
        `/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [0 [${widths}]] >>`,
    )
    const toUnicode = file.addStream(writeUnicodeMap(this.#texts))
    return file.add(
      `<< /Type /Font /Subtype /Type0 /BaseFont ${name} /Encoding /Identity-H /DescendantFonts [${descendant} 0 R] /ToUnicode ${toUnicode} 0 R >>`,
    )
  }
}

/** Ranges of this many codes: a range may not cross a change of the high byte. */
const MAP_RANGE = 256

/** Returns the map that programs use to copy and search text. */
function writeUnicodeMap(texts: readonly string[]): string {
  const ranges: string[] = []
  for (let start = 0; start < texts.length; start += MAP_RANGE) {
    const part = Array.from(texts.slice(start, start + MAP_RANGE), (text) => {
      return `<${Buffer.from(text === '' ? REPLACEMENT : text, 'utf16le')
        .swap16()
        .toString('hex')}>`
    })
    const hex = (code: number) => `<${code.toString(16).padStart(4, '0')}>`
    ranges.push(`${hex(start)} ${hex(start + part.length - 1)} [${part.join(' ')}]`)
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000><ffff>
endcodespacerange
${ranges.map((range) => `1 beginbfrange\n${range}\nendbfrange`).join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}
