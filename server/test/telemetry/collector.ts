// A real collector on loopback that reads OTLP over HTTP in its JSON encoding. It answers as the test says.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The numbers that OTLP has for kinds and for a failed status. */
export const SERVER = 2
export const CLIENT = 3
export const ERROR = 2

export interface ReceivedSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  links: { traceId: string; spanId: string }[]
  attributes: Record<string, string | number>
  status: { code?: number }
  resource: Record<string, string | number>
}

export interface Collector {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** Everything that was sent, as text. */
  readonly bodies: string[]
  readonly headers: IncomingHttpHeaders[]
  /** A status, or `hold` to answer only when the test says so. */
  answer: number | 'hold'
  /** Answers what was held, and from now on at once. */
  release(): void
  close(): Promise<void>
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number }
}

type WireSpan = Omit<ReceivedSpan, 'attributes' | 'links' | 'resource'> & {
  attributes: Attribute[]
  links?: ReceivedSpan['links']
}

interface Export {
  resourceSpans?: { resource: { attributes: Attribute[] }; scopeSpans: { spans: WireSpan[] }[] }[]
}

export async function startCollector(answer: Collector['answer'] = 200): Promise<Collector> {
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      collector.headers.push(request.headers)
      collector.bodies.push(body)
      collector.spans.push(...readSpans(JSON.parse(body) as Export))
      if (collector.answer === 'hold') held.push(response)
      else response.writeHead(collector.answer, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    spans: [],
    bodies: [],
    headers: [],
    answer,
    release() {
      collector.answer = 200
      for (const response of held.splice(0)) response.writeHead(200).end('{}')
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return collector
}

function readSpans({ resourceSpans = [] }: Export): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId, links = [], attributes, status }) => ({
        name,
        kind,
        traceId,
        spanId,
        parentSpanId,
        links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
        attributes: toRecord(attributes),
        status,
        resource: toRecord(resource.attributes),
      })),
    ),
  )
}

function toRecord(attributes: readonly Attribute[]): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? JSON.stringify(value)]),
  )
}
