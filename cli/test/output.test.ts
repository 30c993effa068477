// Text for people: colours only where they are wanted, aligned columns, and nothing that controls a terminal.
import { describe, expect, test } from 'vitest'
import { createOutput, createPaint, formatFields, formatTable } from '../src/output.ts'

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
  expect(formatTable(columns, rows, { paint: plain, width: undefined })).toBe('ID   NAME\na    long name\nbcd  -')
  expect(formatTable(columns, [], { paint: plain, width: undefined })).toBe('')
})

describe('a table on a terminal', () => {
  const row = { id: 'op_0123456789', name: 'A name that is too long', url: 'https://example.com/a/long/path/of/a/hook' }
  const columns = [
    { title: 'ID', cell: (each: typeof row) => each.id },
    { title: 'URL', isText: true as const, cell: (each: typeof row) => each.url },
    { title: 'NAME', isText: true as const, cell: (each: typeof row) => each.name },
  ]
  const lastLine = (width: number | undefined, cells = row) =>
    formatTable(columns, [cells], { paint: plain, width }).split('\n').at(-1)
  const whole = `${row.id}  ${row.url}  ${row.name}`

  test.each([
    ['no width', undefined, whole],
    ['enough width', whole.length, whole],
    ['one character too few', whole.length - 1, `${row.id}  ${row.url.slice(0, -2)}…  ${row.name}`],
    ['too little for the widest column alone', 40, `${row.id}  https:/…  A name that is…`],
    ['too little for the ids', 10, `${row.id}  https:/…  A name …`],
  ])('%s', (_name, width, expected) => {
    expect(lastLine(width)).toBe(expected)
  })

  test('is never wider than the terminal while text can be cut, and no character is cut in half', () => {
    for (let width = whole.length; width >= 33; width -= 1) expect(lastLine(width)?.length).toBeLessThanOrEqual(width)
    expect(lastLine(35, { ...row, name: '', url: '🂡'.repeat(20) })).toMatch(/^op_0123456789 {2}(🂡)+… +-$/u)
  })

  test('is narrowed only if standard output is a terminal that knows its width', () => {
    const widthOf = (out: object) =>
      createOutput({ out: { write: () => true, ...out }, err: { write: () => true }, environ: {} }, { json: false })
        .width
    expect(widthOf({ isTTY: true, columns: 80 })).toBe(80)
    expect(widthOf({ isTTY: true, columns: 0 })).toBeUndefined()
    expect(widthOf({ isTTY: false, columns: 80 })).toBeUndefined()
  })
})

test('fields align, and control and bidirectional characters are replaced', () => {
  expect(formatFields({ a: 'x\u001B[2Jy\u202Ez', long: ['p', 'q'], none: null, yes: true })).toBe(
    'a:    x\uFFFD[2Jy\uFFFDz\nlong: p q\nnone: -\nyes:  yes',
  )
})
