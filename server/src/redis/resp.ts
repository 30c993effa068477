// The wire format of Redis and Valkey (RESP 2): writes commands and reads replies.

/** An error reply. The connection is still good. */
export class RedisError extends Error {
  override name = 'RedisError'
}

export type Reply = string | number | null | RedisError | Reply[]

export function encodeCommand(parts: readonly string[]): string {
  return `*${parts.length}\r\n${parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`
}

/** Our replies have a few bytes. A longer one is not from a Redis. */
const BUFFER_BYTES_MAX = 1024 * 1024
const ARRAY_LENGTH_MAX = 1024
const DEPTH_MAX = 4

interface Read {
  readonly reply: Reply
  /** Where the next reply begins. */
  readonly end: number
}

/** Returns a function that takes bytes as they arrive and returns the replies that are complete. It throws on anything else. */
export function createReplyReader(): (bytes: Buffer) => Reply[] {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    const replies: Reply[] = []
    let start = 0
    for (let read = readReply(rest, 0, 0); read !== undefined; read = readReply(rest, start, 0)) {
      replies.push(read.reply)
      start = read.end
    }
    rest = rest.subarray(start)
    if (rest.length > BUFFER_BYTES_MAX) throw new Error('a reply is too long')
    return replies
  }
}

/** Returns undefined when the reply is not complete yet. */
function readReply(bytes: Buffer, start: number, depth: number): Read | undefined {
  const lineEnd = bytes.indexOf('\r\n', start)
  if (lineEnd === -1) return undefined
  const line = bytes.toString('utf8', start + 1, lineEnd)
  const next = lineEnd + 2
  switch (bytes.toString('latin1', start, start + 1)) {
    case '+':
      return { reply: line, end: next }
    case '-':
      return { reply: new RedisError(line), end: next }
    case ':':
      return { reply: toInteger(line), end: next }
    case '$':
      return readText(bytes, toInteger(line), next)
    case '*':
      return readArray(bytes, toInteger(line), { start: next, depth })
    default:
      throw new Error('the reply is not in the format of Redis')
  }
}

function readText(bytes: Buffer, length: number, start: number): Read | undefined {
  if (length === -1) return { reply: null, end: start }
  if (length < 0 || length > BUFFER_BYTES_MAX) throw new Error('a reply has an impossible length')
  const end = start + length + 2
  return bytes.length < end ? undefined : { reply: bytes.toString('utf8', start, start + length), end }
}

function readArray(
  bytes: Buffer,
  length: number,
  { start, depth }: { start: number; depth: number },
): Read | undefined {
  if (length === -1) return { reply: null, end: start }
  if (length < 0 || length > ARRAY_LENGTH_MAX || depth >= DEPTH_MAX) throw new Error('a reply has an impossible length')
  const items: Reply[] = []
  let end = start
  while (items.length < length) {
    const item = readReply(bytes, end, depth + 1)
    if (item === undefined) return undefined
    items.push(item.reply)
    end = item.end
  }
  return { reply: items, end }
}

function toInteger(line: string): number {
  const value = Number(line)
  if (line === '' || !Number.isInteger(value)) throw new Error('a reply has a number that is none')
  return value
}
