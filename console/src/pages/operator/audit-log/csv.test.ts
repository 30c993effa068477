// The audit log as CSV.
import type { AuditEntry } from '@cardstock/sdk'
import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

const entry = {
  id: 'aud_1',
  createdAt: '2026-01-31T12:00:00.000Z',
  actor: '=HYPERLINK("x")',
  actorName: 'Ada, "the first"',
  action: 'review.completed',
  companyId: null,
  details: { note: 'a\nb' },
} as unknown as AuditEntry

test('a field that a spreadsheet would run is quoted, and so are commas and quotation marks', () => {
  const [head = '', row = '', rest] = toCsv([entry]).split('\r\n')
  expect(head).toBe('createdAt,actor,actorKind,actorId,actorName,action,companyId,object,address,requestId,id,details')
  expect(row).toBe(
    `2026-01-31T12:00:00.000Z,"'=HYPERLINK(""x"")",,,"Ada, ""the first""",review.completed,,,,,aud_1,"{""note"":""a\\nb""}"`,
  )
  expect(rest).toBe('')
})
