// A menu that opens as soon as it is shown, because its button was pressed before its code was there.
import { Menu } from '@mantine/core'
import { type ReactNode, type RefObject, useState } from 'react'

export interface MenuButton {
  readonly ref: RefObject<HTMLButtonElement | null>
  readonly className: string | undefined
  readonly 'aria-label'?: string
  readonly children: ReactNode
}

export interface OpenedMenuProps {
  readonly button: MenuButton
}

interface Props extends OpenedMenuProps {
  readonly position: 'bottom-start' | 'bottom-end'
  /** The items. */
  readonly children: ReactNode
}

export function OpenedMenu({ button, position, children }: Props) {
  const [isOpen, setOpen] = useState(true)
  // Mantine gives the focus back only from the second time on, because the menu is open when it is first shown.
  const change = (next: boolean) => {
    setOpen(next)
    if (!next) button.ref.current?.focus()
  }
  return (
    <Menu width={240} position={position} opened={isOpen} onChange={change}>
      <Menu.Target>
        <button type="button" {...button} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
