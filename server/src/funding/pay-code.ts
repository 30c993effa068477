// The QR codes of payment pages. Drawing one takes milliseconds, and anybody who has a link can load its page again and again, so the codes
// that were asked for last are kept.
import { renderSVG } from 'uqr'
import { dropOldest } from '../lib/drop-oldest.ts'

/** The blank border that QR code readers need, in modules. */
const QUIET_ZONE = 4
/** About 20 kB each. A company has one invoice to pay at a time in each environment. */
const CODES_MAX = 500

/** Returns what draws a code for an address and an amount, and keeps it. */
export function createPayCodes(draw = drawCode): (uri: string) => string {
  const codes = new Map<string, string>()
  return (uri) => {
    const code = codes.get(uri) ?? draw(uri)
    codes.delete(uri)
    if (codes.size >= CODES_MAX) dropOldest(codes)
    codes.set(uri, code)
    return code
  }
}

function drawCode(uri: string): string {
  return renderSVG(uri, { border: QUIET_ZONE }).replace(
    '<svg ',
    '<svg role="img" aria-label="QR code with the address and the exact amount" ',
  )
}
