// Waits until somebody stops the process, so that a command can end what it started.

export function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}
