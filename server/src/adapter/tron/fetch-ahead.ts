// Reads many heights at once and returns them in order, up to the first that could not be read. Must not know what a block is.

/**
 * `limit` reads are under way at once. After one fails, none that comes behind it is begun. The result ends with the first failure, if
 * there is one, so what precedes it has no gap.
 */
export async function fetchAhead<Value>(
  heights: readonly number[],
  limit: number,
  read: (height: number) => Promise<Value>,
  isFailure: (value: Value) => boolean,
): Promise<Value[]> {
  const values: Value[] = []
  let next = 0
  let end = heights.length
  const work = async () => {
    while (next < end) {
      const place = next
      next += 1
      const height = heights[place]
      if (height === undefined) return
      const value = await read(height)
      values[place] = value
      if (isFailure(value)) end = Math.min(end, place + 1)
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, heights.length) }, work))
  return values.slice(0, end)
}
