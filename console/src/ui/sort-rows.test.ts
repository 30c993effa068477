// The browser sorts tables that are whole.
import { expect, test } from 'vitest'
import { type ComparedColumn, sortRows } from './sort-rows.ts'

interface Row {
  readonly name: string
  readonly count: number
}
const ROWS: readonly Row[] = [
  { name: 'b', count: 2 },
  { name: 'a', count: 10 },
  { name: 'c', count: 2 },
]
const COLUMNS: readonly ComparedColumn<Row>[] = [
  { title: 'Name', show: ({ name }) => name, compare: (a, b) => a.name.localeCompare(b.name) },
  { title: 'How many', show: ({ count }) => count, compare: (a, b) => a.count - b.count },
  { title: 'Bar', show: () => null },
]

test.each([
  [undefined, 'bac'],
  ['name', 'abc'],
  ['-name', 'cba'],
  ['how-many', 'bca'],
  ['-how-many', 'abc'],
  ['bar', 'bac'],
  ['newest', 'bac'],
])('the order %s gives %s', (current, names) => {
  expect(
    sortRows(ROWS, COLUMNS, { current })
      .map(({ name }) => name)
      .join(''),
  ).toBe(names)
})
