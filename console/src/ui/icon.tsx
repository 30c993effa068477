// An icon. Screen readers skip it, because the words beside it say the same.
import { ICON_SHAPES, type IconName } from './icon-shapes.ts'

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={ICON_SHAPES[name]} />
    </svg>
  )
}
