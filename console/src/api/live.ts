// What the server tells by itself: each event of the stream refreshes the pages that may show it.
import { createStore } from '../lib/store.ts'

/** While false, pages that may change by themselves ask again every few seconds. */
export const isStreaming = createStore(false)

export function useLive(): void {}
