// Keeps a cache within its size.

/** Removes the entry that was added first. Emptying a full cache instead would let one caller make it useless for all others. */
export function dropOldest<Key>(cache: { keys(): Iterable<Key>; delete(key: Key): boolean }): void {
  for (const oldest of cache.keys()) {
    cache.delete(oldest)
    return
  }
}
