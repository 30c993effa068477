// Values that components follow.
import { expect, test, vi } from 'vitest'
import { createStore } from './store.ts'

test('listeners are called for a new value, and not for the same one', () => {
  const store = createStore('sandbox')
  const listener = vi.fn<() => void>()
  const stop = store.subscribe(listener)
  store.set('sandbox')
  expect(listener).not.toHaveBeenCalled()
  store.set('live')
  expect([store.get(), listener.mock.calls.length]).toEqual(['live', 1])
  stop()
  store.set('sandbox')
  expect(listener).toHaveBeenCalledTimes(1)
})
