// A toast: a short message in the corner that says what succeeded. Refusals are shown where they happened.

export function toast(message: string): void {
  // The same code as that of ui/toasts.tsx, which the frame loads after the page.
  void import('@mantine/notifications').then(({ notifications }) =>
    notifications.show({
      message,
      color: 'green',
      withBorder: true,
      closeButtonProps: { 'aria-label': 'Close this message' },
    }),
  )
}
