// The words beside a button that has only an icon. The code that finds their place on the page is loaded when the first such button is shown.
import type { TooltipProps } from '@mantine/core'
import { type ComponentType, lazy, type ReactElement, Suspense } from 'react'

/** Without its words the button still works, so that code that cannot be loaded is no reason to fail. */
const Words = lazy<ComponentType<TooltipProps>>(() =>
  import('./tooltip-words.ts').catch(() => ({ default: ({ children }: TooltipProps) => children as ReactElement })),
)

export function Tooltip({ label, children }: { label: string; children: ReactElement }) {
  return (
    <Suspense fallback={children}>
      <Words label={label}>{children}</Words>
    </Suspense>
  )
}
