// Limits how many connections one client address (IPv6: one network of 64 bits) may have open at a time, so that a single client
// cannot use up the memory and the file descriptors of the process. Connections of trusted proxies are not counted: each of them carries many clients.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../lib/log.ts'
import { isTrustedPeer, networkOf, type TrustedProxies } from '../lib/client-address.ts'

interface Options {
  readonly max: number
  readonly trustedProxies: TrustedProxies
  readonly log: Log
  /** Called for each connection that is refused. */
  onRefused(): void
}

/** One line for each refused connection would let a client fill the log. */
const LOG_INTERVAL_MS = 60_000

/** Closes a connection above the limit before it is read: whatever its request would be, none of it is carried out. */
export function limitConnections(instance: FastifyInstance, options: Options): FastifyInstance {
  const { max, trustedProxies, log, onRefused } = options
  let loggedAt = Number.NEGATIVE_INFINITY
  const logRefused = (address: string) => {
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return
    loggedAt = performance.now()
    log.warn(
      { address, max },
      'An address has too many connections; more are refused. If it is your proxy, set TRUST_PROXY; otherwise see CONNECTIONS_PER_ADDRESS.',
    )
  }
  const open = new Map<string, number>()
  instance.server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress
    // A client that is gone already has no address.
    if (peer === undefined || isTrustedPeer(trustedProxies, peer)) return
    const address = networkOf(peer)
    const count = (open.get(address) ?? 0) + 1
    if (count > max) {
      socket.destroy()
      onRefused()
      logRefused(address)
      return
    }
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
  return instance
}
