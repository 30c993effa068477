// The log of the reference issuer about events that it cannot deliver.
import { expect, test } from 'vitest'
import { createNotice } from './notice.ts'

test('what is not delivered is logged at once, when the place changes, and then once a minute', () => {
  let nowMs = 0
  const lines: string[] = []
  const write = (level: string) => (fields: object) => void lines.push(`${level} ${JSON.stringify(fields)}`)
  const log = { warn: write('warn'), info: write('info') } as unknown as Parameters<typeof createNotice>[0]['log']
  const notice = createNotice({ clock: { now: () => new Date(nowMs) }, log })

  for (let event = 0; event < 1000; event += 1) notice.undelivered('http://127.0.0.1:1', 'ECONNREFUSED')
  expect(lines).toEqual(['warn {"url":"http://127.0.0.1:1","reason":"ECONNREFUSED","attempts":1}'])
  nowMs = 60_000
  notice.undelivered('http://127.0.0.1:1', 'ECONNREFUSED')
  expect(lines[1]).toBe('warn {"url":"http://127.0.0.1:1","reason":"ECONNREFUSED","attempts":1000}')
  notice.undelivered('http://127.0.0.1:2', 'ECONNREFUSED')
  expect(lines).toHaveLength(3)
  notice.delivered()
  notice.delivered()
  expect(lines.slice(3)).toEqual(['info {"url":"http://127.0.0.1:2"}'])
})
