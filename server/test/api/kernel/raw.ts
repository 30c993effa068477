// Bytes on a socket, for requests that no HTTP client would send.
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  headers: Headers
  body: Record<string, unknown>
  text: string
}

export function openSocket(baseUrl: string): Socket {
  const { hostname, port } = new URL(baseUrl)
  return connect({ host: hostname, port: Number(port) })
}

/** Writes the parts one after the other and reads until the server closes the connection. */
export async function sendRaw(baseUrl: string, ...parts: (string | Buffer)[]): Promise<string> {
  const socket = openSocket(baseUrl)
  const chunks: Buffer[] = []
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    // The server may close while we still write.
    socket.on('error', () => {})
  })
  socket.on('data', (chunk) => chunks.push(chunk))
  for (const part of parts) socket.write(part)
  await closed
  return Buffer.concat(chunks).toString('utf8')
}

export function parseRaw(text: string): RawAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>),
    text: body,
  }
}
