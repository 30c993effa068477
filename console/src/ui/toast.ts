// A toast: a short message in the corner that says what succeeded. Refusals are shown where they happened.
import { createElement } from 'react'
import { createStore } from '~/lib/store.ts'
import { UndoMessage } from './undo-message.tsx'

/** Whether there was a toast yet. Their place is loaded with the first one. */
export const hasToasts = createStore(false)

/** `undo` adds a button that takes back what was done. */
export function toast(message: string, undo?: () => void): void {
  hasToasts.set(true)
  // The same code as that of ui/toasts.tsx. A toast that comes before its place waits for it.
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
