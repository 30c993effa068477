// Lists as CSV.
import { expect, test } from 'vitest'
import { toCsv } from './csv-rows.ts'

test('every field is a column, also one that only some objects have, and fields inside a field are columns', () => {
  const rows = [
    { id: 'card_1', holder: { id: 'hld_1', name: 'Ada, "the first"' }, tags: ['a', 'b'], closedAt: null },
    { id: 'card_2', balance: '1.00' },
  ]
  expect(toCsv(rows).split('\r\n')).toEqual([
    'id,holder.id,holder.name,tags,closedAt,balance',
    'card_1,hld_1,"Ada, ""the first""","[""a"",""b""]",,',
    'card_2,,,,,1.00',
    '',
  ])
})

test('a text that a spreadsheet would run is written as text', () => {
  expect(toCsv([{ actor: '=HYPERLINK("x")' }])).toBe(`actor\r\n"'=HYPERLINK(""x"")"\r\n`)
})
