// A button that opens a menu. The code of the menu is loaded when somebody points at the button, moves the focus to it or presses it.
import { type ReactNode, startTransition, Suspense, useRef, useState } from 'react'
import type { MenuButton, OpenedMenuProps } from './opened-menu.tsx'

interface Props extends Omit<MenuButton, 'ref'> {
  /** The menu, with `preload`, so that it is usually there when the button is pressed. */
  readonly menu: ((props: OpenedMenuProps) => ReactNode) & { readonly preload: () => Promise<void> }
}

export function LateMenu({ menu: OpenedMenu, ...look }: Props) {
  const [isWanted, setWanted] = useState(false)
  const ref = useRef<HTMLButtonElement>(null)
  // A failure shows when the menu is opened.
  const prepare = () => void OpenedMenu.preload().catch(() => undefined)
  return (
    <Suspense>
      {isWanted ? (
        <OpenedMenu button={{ ...look, ref }} />
      ) : (
        <button
          {...look}
          type="button"
          aria-haspopup="menu"
          aria-expanded={false}
          onPointerEnter={prepare}
          onFocus={prepare}
          // In a transition the button stays until the menu is there.
          onClick={() => startTransition(() => setWanted(true))}
        />
      )}
    </Suspense>
  )
}
