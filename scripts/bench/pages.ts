// Measures pages of a list per second, in rounds of 20 ms. Both sides of a ratio run right after each other, in so many
// rounds that the median moves by a few hundredths only. Single rounds differ by half on a busy machine.
const PAGES_PER_ROUND = 20
/** Several at a time, so that the server never waits for the client. */
const CONNECTIONS = 4

export async function pagesPerSecond(read: (page: number) => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  let left = PAGES_PER_ROUND
  const reader = async () => {
    while (left > 0) {
      left -= 1
      await read(left)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, reader))
  return (PAGES_PER_ROUND * 1000) / (performance.now() - startedMs)
}
