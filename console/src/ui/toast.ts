// A toast: a short message in the corner that says what succeeded. Refusals are shown where they happened.
import { createElement } from 'react'
import { UndoMessage } from './undo-message.tsx'

/** `undo` adds a button that takes back what was done. */
export function toast(message: string, undo?: () => void): void {
  // The same code as that of ui/toasts.tsx, which the frame loads after the page.
  void import('@mantine/notifications').then(({ notifications }) => {
    const takeBack = () => {
      notifications.hide(id)
      undo?.()
    }
    const id = notifications.show({
      message: undo === undefined ? message : createElement(UndoMessage, { message, undo: takeBack }),
      color: 'green',
      withBorder: true,
      closeButtonProps: { 'aria-label': 'Close this message' },
    })
  })
}
