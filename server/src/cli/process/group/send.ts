// Sends a message to a process of the group.
import type { Worker } from 'node:cluster'
import type { ToChild } from './messages.ts'

export function send(worker: Worker, message: ToChild): void {
  // A process that just ended has no line any more; its end is handled elsewhere.
  if (worker.isConnected()) worker.send(message, () => undefined)
}
