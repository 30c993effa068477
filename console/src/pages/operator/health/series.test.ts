// The figures of the health page: what is not known is no figure, and thresholds are those of the alert rules.
import { readFileSync } from 'node:fs'
import type { ServerPoint } from '@cardstock/sdk'
import { expect, test } from 'vitest'
import { GROUPS, historyOf, ISSUER_SERIES } from './series.ts'

const POINT: ServerPoint = {
  at: '2026-03-10T12:00:00.000Z',
  minutes: 2,
  processes: 3,
  requests: 60,
  serverErrors: 6,
  webhookAttempts: 12,
  webhookFailures: 3,
  callsInFlight: 4,
  callsStopped: false,
  queued: 5,
  inReview: null,
  oldestDeliverySeconds: 1.5,
}
const SERIES = GROUPS.flatMap(({ series }) => series)

test('rates are of the minutes that are known', () => {
  const values = SERIES.map(({ title, at }) => [title, at(POINT)])
  expect(Object.fromEntries(values)).toEqual({
    'Requests per second': 0.5,
    'Server errors per second': 0.05,
    'Operations queued': 5,
    'Operations in review': null,
    'Issuer calls in flight': 4,
    Processes: 3,
    'Attempts per second': 0.1,
    'Failed attempts per second': 0.025,
    'Age of the oldest delivery': 1.5,
  })
})

test('five minutes without figures are not known, also at the end', () => {
  const [requests] = SERIES
  if (requests === undefined) throw new Error('There is no series.')
  const later = { ...POINT, at: '2026-03-10T12:10:00.000Z' }
  const read = (until: string) => historyOf([POINT, later], requests, Date.parse(until)).map(({ value }) => value)
  expect(read('2026-03-10T12:22:00.000Z')).toEqual([0.5, null, 0.5, null, null])
  // The end is that of the server's figures; those of the issuers may be newer.
  expect(read('2026-03-10T12:10:00.000Z')).toEqual([0.5, null, 0.5])
  expect(historyOf([], requests, Date.parse('2026-03-10T12:10:00.000Z'))).toEqual([])
})

test('thresholds are those of the alert rules', () => {
  const rules = readFileSync(new URL('../../../../../deploy/prometheus/alerts.yml', import.meta.url), 'utf8')
  const limitOf = (alert: string) => {
    const [, rule = ''] = rules.split(`alert: ${alert}\n`)
    return Number(/> ([\d.]+)\n/.exec(rule)?.[1])
  }
  const thresholds = [...SERIES, ...ISSUER_SERIES].flatMap(({ threshold }) => threshold?.value ?? [])
  expect(thresholds).toEqual([
    limitOf('CardstockServerErrors'),
    limitOf('CardstockWebhooksLate'),
    limitOf('CardstockIssuerOutcomesUnknown') * 100,
  ])
})
