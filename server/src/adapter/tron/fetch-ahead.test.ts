// Reading ahead: the limit is kept, the order is kept, and nothing behind a failure is returned.
import { expect, test } from 'vitest'
import { fetchAhead } from './fetch-ahead.ts'

const HEIGHTS = Array.from({ length: 50 }, (_, step) => 100 + step)

test('what is read out of order is returned in order, with at most the limit under way', async () => {
  let underWay = 0
  let most = 0
  const waiting: (() => void)[] = []
  const read = async (height: number) => {
    underWay += 1
    most = Math.max(most, underWay)
    // The newest is let go first, so that the answers come in another order than the questions.
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      setImmediate(() => waiting.pop()?.())
    })
    underWay -= 1
    return height
  }
  expect(await fetchAhead(HEIGHTS, 7, read, () => false)).toEqual(HEIGHTS)
  expect(most).toBe(7)
})

test('the result ends with the first failure, and nothing behind it is begun later', async () => {
  const asked: number[] = []
  const read = async (height: number) => {
    asked.push(height)
    return height
  }
  const read4 = await fetchAhead(HEIGHTS, 4, read, (height) => height === 110 || height === 105)
  expect(read4).toEqual([100, 101, 102, 103, 104, 105])
  expect(asked.length).toBeLessThan(12)
})
