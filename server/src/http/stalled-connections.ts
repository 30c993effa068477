// Closes connections whose client does not read its answers. Node has no time limit for that, and an answer that waits for its
// reader stays in memory.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A stalled connection may last this much longer than its limit. */
const CHECK_INTERVAL_MS = 5_000

interface Seen {
  readonly bytesWritten: number
  readonly waiting: number
  readonly sinceMs: number
}

/** `stallMs` is how long nothing may leave a connection on which something waits. */
export function closeStalledConnections(instance: FastifyInstance, stallMs: number): FastifyInstance {
  const seen = new Map<Socket, Seen>()
  instance.server.on('connection', (socket: Socket) => {
    seen.set(socket, { bytesWritten: 0, waiting: 0, sinceMs: performance.now() })
    socket.once('close', () => seen.delete(socket))
  })
  const check = () => {
    const nowMs = performance.now()
    for (const [socket, before] of seen) {
      const { bytesWritten, writableLength: waiting } = socket
      const hasMoved = waiting === 0 || bytesWritten !== before.bytesWritten || waiting !== before.waiting
      if (hasMoved) seen.set(socket, { bytesWritten, waiting, sinceMs: nowMs })
      else if (nowMs - before.sinceMs >= stallMs) socket.destroy()
    }
  }
  const timer = setInterval(check, Math.min(stallMs / 4, CHECK_INTERVAL_MS)).unref()
  return instance.addHook('onClose', async () => clearInterval(timer))
}
