// Reads the stream of events, and connects again where it was interrupted.
import { type Cardstock, type EventType, RefusedError, type WebhookEvent } from '@cardstock/sdk'

/** The server sends something every 15 s, so a longer silence is a dead connection. */
const SILENCE_MS = 45_000
const RECONNECT_MS = 1_000
/** The server ends a stream after an hour. */
const STREAM_MS_MAX = 7_200_000
/** More than the events that a server repeats after a reconnect. */
const SEEN_MAX = 10_000

/**
 * Yields events as they happen, each once, from the moment on at which it calls `onOpen`. After an interruption it goes on where
 * it was. It throws if the first connection fails, or if the server refuses a later one.
 */
export async function* streamEvents(
  api: Cardstock,
  types: readonly EventType[],
  onOpen: () => void,
): AsyncGenerator<WebhookEvent> {
  const seen = new Set<string>()
  const query: { types?: string; after?: string } = types.length === 0 ? {} : { types: types.join(',') }
  for (let wasOpen = false; ;) {
    const connection = new AbortController()
    try {
      const body = await api.events.stream(query, { signal: connection.signal, timeoutMs: STREAM_MS_MAX })
      if (!wasOpen) onOpen()
      wasOpen = true
      for await (const block of readBlocks(body, connection)) {
        const [, position, data] = /^id: (.*)(?:\ndata: (.*))?/m.exec(block) ?? []
        if (position !== undefined) query.after = position
        const event = data === undefined ? undefined : (JSON.parse(data) as WebhookEvent)
        if (event === undefined || seen.has(event.id)) continue
        const [oldest] = seen
        if (oldest !== undefined && seen.size >= SEEN_MAX) seen.delete(oldest)
        seen.add(event.id)
        yield event
      }
    } catch (error) {
      const isRefused = error instanceof RefusedError && error.statusCode !== 429
      if (!wasOpen || isRefused) throw error
    } finally {
      connection.abort()
    }
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
  }
}

/** Yields the parts of a stream that an empty line ends. */
async function* readBlocks(body: ReadableStream<Uint8Array>, connection: AbortController): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const startTimer = () => setTimeout(() => connection.abort(), SILENCE_MS)
  let timer = startTimer()
  let text = ''
  try {
    for await (const chunk of body) {
      clearTimeout(timer)
      timer = startTimer()
      const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      yield* blocks
    }
  } finally {
    clearTimeout(timer)
  }
}
