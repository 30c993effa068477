// Text for people: colours only where they are wanted, aligned columns, and nothing that controls a terminal.
import { describe, expect, test } from 'vitest'
import { createPaint, formatFields, formatTable } from '../src/output.ts'

const sink = (isTTY?: boolean) => ({ write: () => true, ...(isTTY === undefined ? {} : { isTTY }) })
const plain = createPaint(sink(), {})

describe('colours', () => {
  test.each([
    ['a terminal', true, {}, '\u001B[31mx\u001B[0m'],
    ['a pipe', undefined, {}, 'x'],
    ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, 'x'],
    ['a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, '\u001B[31mx\u001B[0m'],
  ])('%s', (_name, isTTY, environ, expected) => {
    expect(createPaint(sink(isTTY), environ)('red', 'x')).toBe(expected)
  })
})

test('columns are as wide as their widest cell, and lines have no trailing space', () => {
  const rows = [
    { id: 'a', name: 'long name' },
    { id: 'bcd', name: '' },
  ]
  const columns = [
    { title: 'ID', cell: (row: (typeof rows)[0]) => row.id },
    { title: 'NAME', cell: (row: (typeof rows)[0]) => row.name },
  ]
  expect(formatTable(columns, rows, plain)).toBe('ID   NAME\na    long name\nbcd  -')
  expect(formatTable(columns, [], plain)).toBe('')
})

test('fields align, and control and bidirectional characters are replaced', () => {
  expect(formatFields({ a: 'x\u001B[2Jy\u202Ez', long: ['p', 'q'], none: null, yes: true })).toBe(
    'a:    x\uFFFD[2Jy\uFFFDz\nlong: p q\nnone: -\nyes:  yes',
  )
})
