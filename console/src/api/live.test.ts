// The event stream refreshes what may show an event.
import { expect, test, vi } from 'vitest'
import type { CompanyClient } from './client.ts'
import { followEvents, isStreaming } from './live.ts'

/** A server whose stream has these chunks and then ends. */
function clientOf(chunks: readonly string[]): CompanyClient {
  const body = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
        controller.close()
      },
    })
  const changes = () => Promise.resolve(body())
  return { team: { changes } } as unknown as CompanyClient
}
const block = (type: string) => `id: evt_1\ndata: ${JSON.stringify({ type })}\n\n`

/** Follows a stream until it ends, and returns what was refreshed. */
async function refreshedBy(...chunks: string[]): Promise<string[][]> {
  const stop = new AbortController()
  const refreshed: string[][] = []
  const over = vi.fn<() => void>()
  const unsubscribe = isStreaming.subscribe(() => (isStreaming.get() ? undefined : over()))
  const following = followEvents(clientOf(chunks), stop.signal, (topics) => {
    refreshed.push([...topics])
    return Promise.resolve()
  })
  await vi.waitFor(() => expect(over).toHaveBeenCalled())
  stop.abort()
  await following
  unsubscribe()
  return refreshed
}

test('an event refreshes the pages that may show it', async () => {
  expect(await refreshedBy(block('operation.completed'))).toEqual([['operations', 'balance', 'statements', 'events']])
  expect(await refreshedBy(block('transaction.settled'))).toEqual([['transactions', 'cards', 'events']])
})

test('an event that arrives in pieces counts once, and several at once refresh each topic once', async () => {
  const text = block('card.frozen')
  expect(await refreshedBy(text.slice(0, 20), text.slice(20))).toEqual([['cards', 'balance', 'statements', 'events']])
  expect(await refreshedBy(block('card.frozen') + block('transaction.settled'))).toEqual([
    ['cards', 'balance', 'statements', 'events', 'transactions'],
  ])
})

test('several events in a row refresh what they touch once', async () => {
  const events = ['operation.queued', 'operation.processing', 'operation.completed', 'card.created'].map(block)
  expect(await refreshedBy(...events)).toEqual([['operations', 'balance', 'statements', 'events', 'cards']])
})

test('comments that keep the connection open refresh nothing, and an unknown type only the list of events', async () => {
  expect(await refreshedBy(': still here\n\n')).toEqual([])
  expect(await refreshedBy(block('payout.created'))).toEqual([['events']])
})
