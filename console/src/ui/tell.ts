// Short messages in the corner, for what succeeded. Refusals stay where they happened.

export function tell(message: string): void {
  // The same code as that of ui/messages.tsx, which the frame loads after the page.
  void import('@mantine/notifications').then(({ notifications }) =>
    notifications.show({
      message,
      color: 'green',
      withBorder: true,
      closeButtonProps: { 'aria-label': 'Close this message' },
    }),
  )
}
