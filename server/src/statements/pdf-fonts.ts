// Any script in a PDF: DejaVu Sans (Latin, Greek, Cyrillic, Hebrew, Arabic, Georgian …) and, for the characters that it
// lacks, GNU Unifont (all of the basic plane: Chinese, Japanese, Korean, Thai, Devanagari …). Both may be embedded (their
// licences come with their packages). What neither has is drawn as U+FFFD; the tagged text keeps the true character.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { PdfDocument } from 'pdfkit'
import { unpackWoff } from './woff.ts'

const MAIN_FONT = 'main'
const FALLBACK_FONT = 'fallback'
const REPLACEMENT = '\uFFFD'
const PATHS = {
  [MAIN_FONT]: '@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff',
  [FALLBACK_FONT]: '@fontsource/unifont/files/unifont-latin-400-normal.woff',
} as const
type FontName = keyof typeof PATHS

const unpacked = new Map<FontName, Buffer>()

function readFont(name: FontName): Buffer {
  const known = unpacked.get(name)
  if (known !== undefined) return known
  const font = unpackWoff(readFileSync(createRequire(import.meta.url).resolve(PATHS[name])))
  unpacked.set(name, font)
  return font
}

export function useMainFont(document: PdfDocument): void {
  document.registerFont(MAIN_FONT, readFont(MAIN_FONT)).font(MAIN_FONT)
}

/** One line at a place, in as many fonts as it needs. Leaves the main font selected. */
export function writeLine(document: PdfDocument, text: string, place: { x: number; y: number }): void {
  let { x } = place
  for (const run of toRuns(document, text)) {
    document.font(run.font).text(run.text, x, place.y, { lineBreak: false })
    x += document.widthOfString(run.text)
  }
  document.font(MAIN_FONT)
}

interface Run {
  readonly font: FontName
  text: string
}

function toRuns(document: PdfDocument, text: string): Run[] {
  const has = (font: FontName, character: string) =>
    document.font(font)._font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  let hasFallback = false
  const runs: Run[] = []
  for (const character of text.replaceAll(/\p{Cc}/gu, REPLACEMENT)) {
    const font = has(MAIN_FONT, character) ? MAIN_FONT : FALLBACK_FONT
    if (font === FALLBACK_FONT && !hasFallback) {
      // Only for names that need it: it is four times as large.
      document.registerFont(FALLBACK_FONT, readFont(FALLBACK_FONT))
      hasFallback = true
    }
    const drawn = font === MAIN_FONT || has(FALLBACK_FONT, character) ? character : REPLACEMENT
    const last = runs.at(-1)
    if (last?.font === font) last.text += drawn
    else runs.push({ font, text: drawn })
  }
  return runs
}
