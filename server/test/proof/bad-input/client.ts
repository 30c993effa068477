// Sends bytes and reads answers. A keep-alive connection for well-formed requests, and one of its own for each broken one.
import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly headers: string
  readonly body: string
  readonly ms: number
}

interface Parsed {
  readonly status: number
  readonly headers: string
  readonly body: string
  readonly rest: Buffer
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Returns the first whole answer of these bytes, or undefined while some of it is missing. */
function parse(bytes: Buffer, isHead: boolean): Parsed | undefined {
  const end = bytes.indexOf(HEAD_END)
  if (end === -1) return undefined
  const headers = bytes.toString('latin1', 0, end)
  const status = Number(headers.slice(9, 12))
  const after = bytes.subarray(end + 4)
  if (status < 200) return parse(after, isHead)
  const lower = headers.toLowerCase()
  // A stream of events does not end by itself, so its head is enough.
  if (isHead || status === 204 || status === 304 || lower.includes('content-type: text/event-stream'))
    return { status, headers, body: '', rest: after }
  const length = /content-length: (\d+)/.exec(lower)?.[1]
  if (length !== undefined) {
    if (after.length < Number(length)) return undefined
    return { status, headers, body: after.toString('utf8', 0, Number(length)), rest: after.subarray(Number(length)) }
  }
  const last = after.indexOf('\r\n0\r\n\r\n')
  if (after.subarray(0, 5).equals(Buffer.from('0\r\n\r\n')))
    return { status, headers, body: '', rest: after.subarray(5) }
  return last === -1
    ? undefined
    : { status, headers, body: after.toString('utf8', 0, last), rest: after.subarray(last + 7) }
}

export class Connection {
  readonly #port: number
  #socket: Socket | undefined

  constructor(baseUrl: string) {
    this.#port = Number(new URL(baseUrl).port)
  }

  /** Sends a request and waits for its answer; undefined when the server closed the connection instead. */
  send(bytes: Buffer): Promise<Answer | undefined> {
    const begin = performance.now()
    const isHead = bytes.subarray(0, 5).toString() === 'HEAD '
    return new Promise((resolve) => {
      const socket = (this.#socket ??= connect({ host: '127.0.0.1', port: this.#port }).setNoDelay())
      let received: Buffer = Buffer.alloc(0)
      const finish = (answer: Answer | undefined, keep: boolean) => {
        socket.removeAllListeners().on('error', () => {})
        if (!keep) {
          socket.destroy()
          this.#socket = undefined
        }
        resolve(answer)
      }
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        const parsed = parse(received, isHead)
        if (parsed === undefined) return
        const { status, headers, body, rest } = parsed
        const isOpen =
          !/\r\nconnection: close/i.test(headers) && !/text\/event-stream/.test(headers) && rest.length === 0
        finish({ status, headers, body, ms: performance.now() - begin }, isOpen)
      })
      socket.on('error', () => {})
      socket.on('close', () => finish(undefined, false))
      socket.write(bytes)
    })
  }

  close(): void {
    this.#socket?.destroy()
  }
}

/** Sends broken HTTP on a connection of its own and returns every answer until the server closes it, or has answered once. */
export function sendBroken(baseUrl: string, bytes: Buffer, waitsForClose: boolean): Promise<Answer[]> {
  const begin = performance.now()
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) })
    let received: Buffer = Buffer.alloc(0)
    const answers: Answer[] = []
    const finish = () => {
      socket.destroy()
      resolve(answers)
    }
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      for (let parsed = parse(received, false); parsed !== undefined; parsed = parse(received, false)) {
        answers.push({
          status: parsed.status,
          headers: parsed.headers,
          body: parsed.body,
          ms: performance.now() - begin,
        })
        received = parsed.rest
        if (!waitsForClose || parsed.headers.includes('text/event-stream')) finish()
      }
    })
    socket.on('error', () => {})
    socket.on('close', finish)
    socket.write(bytes)
    // Says that nothing follows, so that a server that waits for more bytes answers now.
    if (waitsForClose) socket.end()
  })
}
