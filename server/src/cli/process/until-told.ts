// Waits until somebody stops the process, so that a command can end what it started.

/** With `isChild`, only the process that started this one stops it: by closing the line between them, or by its end. */
export function untilTold({ isChild = false }: { readonly isChild?: boolean | undefined } = {}): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = () => {
      // A terminal and a service manager send their signal to every process of a group. The server still needs this one.
      if (!isChild) resolve()
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
    if (isChild) process.once('disconnect', () => resolve())
    if (isChild && !process.connected) resolve()
  })
}
