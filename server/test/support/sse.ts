// A client of GET /api/v1/events/stream that keeps what it received, in the order of arrival.
import { until } from './wait.ts'

export interface Received {
  id: string
  type: string
  sequence: number
  data: { id: string }
}

export class SseClient {
  readonly status: number
  readonly headers: Headers
  readonly events: Received[] = []
  comments = 0
  retryMs: number | undefined
  /** The last `id:`, which resumes the stream. */
  position = ''
  /** How the stream ended, or undefined while it is open. */
  ending: 'ended' | 'cut' | undefined
  readonly #aborter: AbortController
  #text = ''

  private constructor(response: Response, aborter: AbortController) {
    this.status = response.status
    this.headers = response.headers
    this.#aborter = aborter
    if (response.body !== null) void this.#read(response.body)
  }

  static async open(
    baseUrl: string,
    /** An API key, or the headers of a browser with a session. */
    caller: string | Record<string, string>,
    {
      path = '/api/v1/events/stream',
      query = '',
      lastEventId,
    }: { path?: string; query?: string; lastEventId?: string } = {},
  ): Promise<SseClient> {
    const aborter = new AbortController()
    const response = await fetch(`${baseUrl}${path}${query}`, {
      headers: {
        ...(typeof caller === 'string' ? { authorization: `Bearer ${caller}` } : caller),
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      signal: aborter.signal,
    })
    return new SseClient(response, aborter)
  }

  close(): void {
    this.#aborter.abort()
  }

  get ids(): string[] {
    return this.events.map(({ id }) => id)
  }

  /** Waits until this many events have arrived. */
  async has(count: number): Promise<Received[]> {
    await until(`${count} events arrived`, async () => (this.events.length >= count ? true : undefined))
    return this.events
  }

  async ends(): Promise<'ended' | 'cut'> {
    return until('the stream ended', async () => this.ending)
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    try {
      const decoder = new TextDecoder()
      for await (const chunk of body) {
        this.#text += decoder.decode(chunk, { stream: true })
        for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
          this.#take(this.#text.slice(0, end))
          this.#text = this.#text.slice(end + 2)
        }
      }
      this.ending = 'ended'
    } catch {
      this.ending = 'cut'
    }
  }

  #take(block: string): void {
    for (const line of block.split('\n')) {
      const [, field = '', value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? []
      if (field === '') this.comments += 1
      if (field === 'retry') this.retryMs = Number(value)
      if (field === 'id') this.position = value
      if (field === 'data') this.events.push(JSON.parse(value) as Received)
    }
  }
}
