// The storage of a browser, for tests in Node.
import { afterEach, beforeEach, vi } from 'vitest'

/** Gives every test of the file an empty storage of the tab and of the browser. */
export function useFakeStorage(): void {
  beforeEach(() => {
    vi.stubGlobal('sessionStorage', createStorage())
    vi.stubGlobal('localStorage', createStorage())
  })
  afterEach(() => void vi.unstubAllGlobals())
}

/** As in a browser, the names of what is kept are the keys of the object. */
function createStorage(): Storage {
  const methods = {
    getItem: (name: string) => (Object.hasOwn(kept, name) ? (kept[name] ?? null) : null),
    setItem: (name: string, value: string) => void (kept[name] = value),
    removeItem: (name: string) => void delete kept[name],
  }
  const kept = Object.create(methods) as Record<string, string>
  return kept as unknown as Storage
}
