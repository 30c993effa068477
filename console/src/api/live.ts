// Follows what changes in the company. Each event refreshes the data that it may have changed, once. The stream tells only the types of events,
// so that every role may follow it.
import type { EventType } from '@cardstock/sdk'
import { createStore } from '~/lib/store.ts'
import type { CompanyClient } from './client.ts'
import type { Topic } from './topics.ts'

/** While it is false, data that may change by itself is read again more often. */
export const isStreaming = createStore(false)

/** One order makes several events within a moment. What they touch is read again once, after the last of them. */
const SETTLED_MS = 300

/** How long to wait before the stream is opened again. */
const REOPEN_MS = 10_000

/** The topics that an event may have changed, by the first word of its type. */
const TOPICS: Readonly<Record<string, readonly Topic[] | undefined>> = {
  operation: ['operations', 'balance', 'statements'],
  invoice: ['invoices', 'balance', 'statements'],
  card: ['cards', 'balance', 'statements'],
  transaction: ['transactions', 'cards'],
  webhook: ['webhook-endpoints'],
  api_key: ['keys'],
}

function topicsOf(type: EventType | undefined): readonly Topic[] {
  if (type === undefined) return []
  return [...(TOPICS[type.split('.', 1)[0] ?? ''] ?? []), 'events']
}

/** The server sends something every 15 s, so a longer silence is a dead connection. */
const SILENCE_MS = 45_000
/** The server ends a stream after an hour. */
const STREAM_MS_MAX = 7_200_000

/** Follows the stream until the signal aborts, and opens it again whenever it ends. */
export async function followEvents(
  client: CompanyClient,
  signal: AbortSignal,
  refresh: (topics: readonly Topic[]) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await followOnce(client, signal, refresh)
    } catch {
      // Whatever ended the stream, it is opened again.
    }
    isStreaming.set(false)
    await pause(signal)
  }
}

async function followOnce(
  client: CompanyClient,
  signal: AbortSignal,
  refresh: (topics: readonly Topic[]) => Promise<void>,
): Promise<void> {
  const silence = new AbortController()
  const ended = AbortSignal.any([signal, silence.signal])
  const body = await client.team.changes({ signal: ended, timeoutMs: STREAM_MS_MAX, maxRetries: 0 })
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  isStreaming.set(true)
  const touched = collectTopics(refresh)
  let timer: ReturnType<typeof setTimeout> | undefined
  let text = ''
  try {
    for (;;) {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
      const { value, done } = await reader.read()
      if (done) return
      const blocks = (text + value).split('\n\n')
      text = blocks.pop() ?? ''
      touched.add(blocks.flatMap((block) => topicsOf(findType(block))))
    }
  } finally {
    clearTimeout(timer)
    touched.flush()
  }
}

/** Collects topics, and refreshes all of them together when no more have come for a moment. */
function collectTopics(refresh: (topics: readonly Topic[]) => Promise<void>) {
  const topics = new Set<Topic>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    if (topics.size > 0) void refresh([...topics])
    topics.clear()
  }
  return {
    add(more: readonly Topic[]) {
      if (more.length === 0) return
      for (const topic of more) topics.add(topic)
      clearTimeout(timer)
      timer = setTimeout(flush, SETTLED_MS)
    },
    flush,
  }
}

/** The type of the event in a block of the stream; undefined for a comment that only keeps the connection open. */
function findType(block: string): EventType | undefined {
  const data = /^data: (.*)$/m.exec(block)?.[1]
  return data === undefined ? undefined : (JSON.parse(data) as { type: EventType }).type
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, REOPEN_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
