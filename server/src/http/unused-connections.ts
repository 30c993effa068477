// Closes connections on which no request has arrived when the server stops. Clients open them in advance, and Node counts them
// as busy, so that the server would wait for their time-out.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export function closeUnusedConnections(instance: FastifyInstance): FastifyInstance {
  const { server } = instance
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  return instance.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy()
  })
}
