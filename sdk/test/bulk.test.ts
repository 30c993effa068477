// Files of many operations, without a server: what is read, which keys the rows get, and what the result file holds.
import { describe, expect, test } from 'vitest'
import {
  BULK_ROWS_MAX,
  BulkFileError,
  type BulkItem,
  bulkTemplate,
  parseBulk,
  summarizeBulk,
  toBulkResult,
} from '../src/bulk.ts'
import { parseCsv, toCsvLine } from '../src/csv.ts'

const ISSUE = 'holderId,productId,amount,name\nhld_1,prod_1,25.00,Travel\nhld_2,prod_1,30,\n'
const keysOf = (text: string, batch?: string) => parseBulk(text, { batch }).rows.map((row) => row.idempotencyKey)

describe('a file', () => {
  test('becomes one operation a row, numbered as in a spreadsheet', () => {
    const { type, rows } = parseBulk(`\uFEFF${ISSUE.replace('\nhld_2', '\n\nhld_2')}`)
    expect(type).toBe('issue')
    expect(rows.map(({ number }) => number)).toEqual([2, 4])
    expect(rows.map(({ operation }) => operation)).toEqual([
      { type: 'issue', holderId: 'hld_1', productId: 'prod_1', amount: '25.00', name: 'Travel' },
      { type: 'issue', holderId: 'hld_2', productId: 'prod_1', amount: '30' },
    ])
    expect(parseBulk('amount;cardId\r\n12.50;card_1\r\n').rows[0]?.operation).toEqual({
      type: 'topup',
      cardId: 'card_1',
      amount: '12.50',
    })
  })

  test('has the same keys however it was saved, and others when a row, its place or the batch is another', () => {
    const keys = keysOf(ISSUE)
    expect(new Set(keys).size).toBe(2)
    for (const key of keys) expect(key).toMatch(/^bulk_[0-9a-f]{64}$/)
    expect(keysOf(`\uFEFF${ISSUE.replaceAll(',', ';').replaceAll('\n', '\r\n')}\r\n`)).toEqual(keys)
    const others = [
      ISSUE.replace('25.00', '25.01'),
      ISSUE.replace('25.00', '26.00'),
      `${ISSUE}hld_3,prod_1,25.00,\n`,
      ISSUE.split('\n').toSpliced(1, 2, 'hld_2,prod_1,30,', 'hld_1,prod_1,25.00,Travel').join('\n'),
    ].flatMap((text) => keysOf(text))
    for (const key of [...others, ...keysOf(ISSUE, '2026-08')]) expect(keys).not.toContain(key)
    // Equal rows are two cards.
    expect(new Set(keysOf('cardId,amount\ncard_1,10\ncard_1,10\n')).size).toBe(2)
  })

  test.each([
    ['', 'must name the columns'],
    ['holderId,cardId,amount\nx,y,1\n', 'must name the columns'],
    ['cardId,amount,note\ncard_1,10,x\n', 'There is no column "note"'],
    ['holderId,amount\nhld_1,10\n', 'The column productId is missing'],
    ['cardId,amount,amount\ncard_1,10,10\n', 'appears twice'],
    ['cardId,amount\n\n', 'has no rows'],
    ['cardId,amount\n"card_1,10\n', 'line 2 has no second one'],
    [`cardId,amount\n${'card_1,10\n'.repeat(BULK_ROWS_MAX + 1)}`, 'has 1001 rows'],
    [`cardId,amount\n${'x'.repeat(1_000_000)}`, 'larger than 1 MB'],
  ])('%# is refused as a whole: %s', (text, message) => {
    expect(() => parseBulk(text)).toThrow(BulkFileError)
    expect(() => parseBulk(text)).toThrow(message)
  })

  test.each(['1,000', '1.000,00', '10.001', '-5', '1e3', '', '=1+1'])(
    'the amount %j is refused beside its row',
    (amount) => {
      const [row] = parseBulk(`cardId,amount\ncard_1,"${amount}"\n`).rows
      expect(row).toMatchObject({ number: 2, operation: undefined, problem: expect.stringMatching(/amount/) as string })
    },
  )

  test('the templates are files whose columns are understood', () => {
    for (const type of ['issue', 'topup'] as const) expect(parseBulk(bulkTemplate(type)).type).toBe(type)
  })
})

describe('the result file', () => {
  const file = parseBulk('holderId,productId,amount,name\nhld_1,prod_1,25.00,"=HYPERLINK(""x"")"\nhld_2,prod_1,9,\n')
  const [first, second] = file.rows as [BulkItem['row'], BulkItem['row']]
  const items: BulkItem[] = [
    { row: first, state: 'accepted', fee: '3.05', total: '28.05', operationId: 'op_1', status: 'queued' },
    { row: second, state: 'refused', message: '@the minimum is 10.00, "really"' },
  ]
  const result = toBulkResult(file, items)

  test('has no cell that a spreadsheet takes for a formula', () => {
    for (const line of result.split('\r\n').slice(1, -1))
      for (const cell of line.split(',')) expect(cell).not.toMatch(/^"?[=+@]/)
    expect(result).toContain(`"'=HYPERLINK(""x"")"`)
  })

  test('is read again with the same texts and keys, also after a row of it was corrected', () => {
    const again = parseBulk(result.replace(',9,', ',12,'))
    expect(again.rows.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      first.idempotencyKey,
      second.idempotencyKey,
    ])
    expect(again.rows[0]?.operation).toEqual(first.operation)
    expect(again.rows[1]?.operation).toMatchObject({ amount: '12' })
    const copied = result + (result.split('\r\n')[1] ?? '')
    expect(() => parseBulk(copied)).toThrow('Rows 2 and 4 have the same key')
    expect(parseBulk(result.replace(first.idempotencyKey, 'bulk_x')).rows[0]?.problem).toMatch(/key was changed/)
  })

  test('its sums count what was accepted', () => {
    expect(summarizeBulk(items)).toMatchObject({
      counts: { accepted: 1, refused: 1 },
      total: '0.00',
      acceptedTotal: '28.05',
    })
  })
})

test.each([['a', 'b,c', 'd"e', 'f\ng', '=x', "'=x", "O'Brien", '-1.50', '']])(
  'cells are read as they were written: %#',
  (...cells) => {
    expect(parseCsv(toCsvLine(cells))).toEqual([cells])
  },
)
