// A real DNS server on loopback for tests. It answers queries over UDP as it is told, with IPv4 addresses only, and can
// swallow queries.
import { createSocket } from 'node:dgram'

/** An IPv4 address, or what to do instead of giving one. */
export type DnsAnswer = { address: string } | 'nxdomain' | 'servfail' | 'swallow'

export interface DnsServer {
  readonly address: string
  /** The names that were asked for. */
  readonly asked: Set<string>
  answer: (name: string, family: 4 | 6) => DnsAnswer | Promise<DnsAnswer>
  close(): Promise<void>
}

const HEADER_BYTES = 12
const TYPE_A = 1
const RCODES = { nxdomain: 3, servfail: 2 }

export async function startDnsServer(answer: DnsServer['answer']): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const server: DnsServer = {
    address: '',
    asked: new Set(),
    answer,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  const respond = async (query: Buffer, from: { port: number; address: string }) => {
    const { name, type, end } = readQuestion(query)
    server.asked.add(name)
    const wanted = await server.answer(name, type === TYPE_A ? 4 : 6)
    if (wanted !== 'swallow') socket.send(writeAnswer(query.subarray(0, end), wanted, type), from.port, from.address)
  }
  socket.on('message', (query, from) => void respond(query, from))
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return Object.assign(server, { address: `127.0.0.1:${socket.address().port}` })
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function writeAnswer(question: Buffer, wanted: Exclude<DnsAnswer, 'swallow'>, type: number): Buffer {
  const rcode = typeof wanted === 'string' ? RCODES[wanted] : 0
  const bytes = typeof wanted === 'string' || type !== TYPE_A ? undefined : wanted.address.split('.').map(Number)
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 | rcode, 2)
  head.writeUInt16BE(bytes === undefined ? 0 : 1, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  if (bytes === undefined) return head
  return Buffer.concat([head, Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...bytes])])
}
