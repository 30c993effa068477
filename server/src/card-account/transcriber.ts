// Reads the cells of the database's lines and writes them in the format of the API, without creating a string or a number for
// each cell. It knows the formats of cells, not their order.
import { ENTRY_NUMBER_DIGITS } from '@cardstock/sdk/statements'

const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const LETTER_T = 0x54
const LETTER_Z = 0x5a
const NOTHING = Buffer.from('0.00')
const DATE_LENGTH = '2026-01-31'.length
const TIME_LENGTH = '12:00:00'.length
const FRACTION_LENGTH = '500'.length
const ZONE_LENGTH = '+00'.length

export class Transcriber {
  readonly #lines: string
  readonly #out: Buffer
  /** The next character to read, and the next byte to write. */
  read = 0
  written: number

  constructor(lines: string, out: Buffer, at: number) {
    this.#lines = lines
    this.#out = out
    this.written = at
  }

  // Keep the positions in local variables: updating fields would take as long as the rest of the loop.
  put(bytes: Buffer): void {
    const out = this.#out
    let at = this.written
    for (let index = 0; index < bytes.length; index += 1) out[at++] = bytes[index] as number
    this.written = at
  }

  putNumber(number: number): void {
    const hex = number.toString(16)
    for (let index = hex.length; index < ENTRY_NUMBER_DIGITS; index += 1) this.#putCode(ZERO)
    for (let index = 0; index < hex.length; index += 1) this.#putCode(hex.charCodeAt(index))
  }

  /** Returns the next two cells unchanged. */
  takePair(): string {
    const end = this.#lines.indexOf('|', this.#lines.indexOf('|', this.read) + 1)
    const pair = this.#lines.slice(this.read, end)
    this.read = end + 1
    return pair
  }

  /** Copies a UUID without its hyphens. */
  copyReference(): void {
    const [lines, out] = [this.#lines, this.#out]
    const end = lines.indexOf('|', this.read)
    let at = this.written
    for (let index = this.read; index < end; index += 1) {
      const code = lines.charCodeAt(index)
      if (code !== MINUS) out[at++] = code
    }
    this.read = end + 1
    this.written = at
  }

  /** Writes cents such as "-5" as "-0.05", like formatCents, but without a bigint for each figure. */
  copyAmount(): void {
    if (this.#lines.charCodeAt(this.read) === MINUS) this.#copy(1)
    const digits = this.#countDigits()
    if (digits > 2) this.#copy(digits - 2)
    else this.#putCode(ZERO)
    this.#putCode(POINT)
    if (digits === 1) this.#putCode(ZERO)
    this.#copy(Math.min(digits, 2))
    this.read += 1
  }

  /** Writes the sum of the two amounts after the next one. The table ensures that one of them is 0 or that they cancel out. */
  putSum(): void {
    const lines = this.#lines
    const next = this.read
    const first = lines.indexOf('|', next) + 1
    const second = lines.indexOf('|', first) + 1
    if (lines.charCodeAt(first) !== ZERO && lines.charCodeAt(second) !== ZERO) {
      this.put(NOTHING)
      return
    }
    this.read = lines.charCodeAt(first) === ZERO ? second : first
    this.copyAmount()
    this.read = next
  }

  /** Copies an instant: "2026-01-31 12:00:00.5+00" becomes "2026-01-31T12:00:00.500Z". */
  copyInstant(): void {
    this.#copy(DATE_LENGTH)
    this.#putCode(LETTER_T)
    this.read += 1
    this.#copy(TIME_LENGTH)
    this.#putCode(POINT)
    if (this.#lines.charCodeAt(this.read) === POINT) this.read += 1
    const digits = this.#countDigits()
    this.#copy(digits)
    for (let index = digits; index < FRACTION_LENGTH; index += 1) this.#putCode(ZERO)
    this.#putCode(LETTER_Z)
    this.read += ZONE_LENGTH + 1
  }

  #putCode(code: number): void {
    this.#out[this.written] = code
    this.written += 1
  }

  #copy(length: number): void {
    const [lines, out] = [this.#lines, this.#out]
    const end = this.read + length
    let at = this.written
    for (let index = this.read; index < end; index += 1) out[at++] = lines.charCodeAt(index)
    this.read = end
    this.written = at
  }

  #countDigits(): number {
    const lines = this.#lines
    let end = this.read
    for (let code = lines.charCodeAt(end); code >= ZERO && code <= NINE; code = lines.charCodeAt(end)) end += 1
    return end - this.read
  }
}
