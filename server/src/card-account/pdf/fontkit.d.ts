// The part of fontkit that statements use; the package has no types of its own.
declare module 'fontkit' {
  export interface Glyph {
    readonly id: number
    readonly advanceWidth: number
    readonly codePoints: readonly number[]
  }
  export interface GlyphRun {
    readonly glyphs: readonly Glyph[]
  }
  export interface Subset {
    /** Returns the glyph's number in the subset. */
    includeGlyph(id: number): number
    encode(): Uint8Array
  }
  export interface Font {
    readonly postscriptName: string
    readonly unitsPerEm: number
    readonly ascent: number
    readonly descent: number
    readonly italicAngle: number
    readonly bbox: { readonly minX: number; readonly minY: number; readonly maxX: number; readonly maxY: number }
    hasGlyphForCodePoint(codePoint: number): boolean
    glyphForCodePoint(codePoint: number): Glyph
    layout(text: string): GlyphRun
    createSubset(): Subset
  }
  export function create(font: Buffer): Font
}
