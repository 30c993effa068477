// The axes of a plot: round values that include zero, and times that do not touch each other.
import { expect, test } from 'vitest'
import { chooseTicks, chooseTimes, nearest, partsOf, pathOf } from './line-plot-geometry.ts'

test.each([
  [
    [1000, 971.95],
    [0, 500, 1000],
  ],
  [
    [0, 0],
    [0, 0.2, 0.4, 0.6, 0.8, 1],
  ],
  [
    [-300, 100],
    [-300, -200, -100, 0, 100],
  ],
  [[0.3], [0, 0.1, 0.2, 0.3]],
  [[-5], [-5, -4, -3, -2, -1, 0]],
])('%j has the values %j on its axis', (values, ticks) => {
  expect(chooseTicks(values).ticks).toEqual(ticks)
})

test('every value is inside the range', () => {
  const { low, high } = chooseTicks([12.5, -40, 90_000])
  expect(low).toBeLessThanOrEqual(-40)
  expect(high).toBeGreaterThan(90_000)
})

test('times on the axis keep their distance, and none is cut off at the edge', () => {
  const drawn = Array.from({ length: 30 }, (_, day) => ({ x: day * 20, y: 0 }))
  const chosen = chooseTimes(drawn, 580)
  expect(chosen).toEqual([0, 5, 10, 15, 20, 25])
})

test('the pointer finds the nearest point, and steps hold a value until the next point', () => {
  const drawn = [
    { x: 0, y: 5 },
    { x: 10, y: 1 },
  ]
  expect([nearest(drawn, 4), nearest(drawn, 6), nearest([], 6)]).toEqual([0, 1, undefined])
  expect(pathOf(drawn, true)).toBe('M0 5H10V1')
  expect(pathOf(drawn, false)).toBe('M0 5L10 1')
})

test('a line has gaps', () => {
  const [a, b, c] = [0, 10, 30].map((x) => ({ x, y: 5 }))
  expect(partsOf([undefined, a, b, undefined, undefined, c])).toEqual([[a, b], [c]])
})
