// Refuses a body that is too large in a way that lets the client read the refusal. Closing a connection on which data still
// arrives resets it, and a client that is still sending would see only the reset.
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long, and how much of the body, the server reads on after it has answered. */
const LINGER_MS = 2_000
const LINGER_BYTES_MAX = 4 * 1024 * 1024

/** Sends the whole answer, reads on for a moment, and then closes the connection. */
export function sendAndLinger(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(reply.statusCode, { 'content-length': Buffer.byteLength(body), connection: 'close' })
  // The answer is complete with its last byte; Node closes the connection only at the end of the response.
  raw.write(body)
  readOn(request.raw, () => raw.end())
  return reply
}

function readOn(request: IncomingMessage, done: () => void): void {
  let left = LINGER_BYTES_MAX
  const timer = setTimeout(finish, LINGER_MS)
  function finish() {
    clearTimeout(timer)
    request.off('data', count).off('end', finish).off('close', finish)
    done()
  }
  function count(chunk: Buffer | string) {
    left -= chunk.length
    if (left < 0) finish()
  }
  if (request.complete || request.destroyed) return finish()
  request.on('data', count).on('end', finish).on('close', finish)
  request.resume()
}
