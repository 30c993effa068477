// A QR code, drawn in the browser. Always dark on white, because many readers do not understand the reverse.
import { encode } from 'uqr'
import styles from './qr-code.module.css'

/** The blank border that readers need, in modules. */
const QUIET_ZONE = 4

export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: QUIET_ZONE })
  const modules = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={modules} fill="#000000" />
    </svg>
  )
}
