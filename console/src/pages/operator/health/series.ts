// What the health page draws: each series is a figure of a sample, or of two samples in a row.
import { rateOf, type Sample, sumOf } from './metrics.ts'

export interface Series {
  readonly title: string
  readonly unit: string
  readonly text: string
  readonly at: (sample: Sample, before: Sample) => number
}

export interface Group {
  readonly title: string
  readonly series: readonly Series[]
}

export const GROUPS: readonly Group[] = [
  {
    title: 'Requests',
    series: [
      {
        title: 'Requests per second',
        unit: 'per second',
        text: 'Everything that was answered.',
        at: (sample, before) => rateOf(before, sample, 'http_request_duration_seconds_count'),
      },
      {
        title: 'Server errors per second',
        unit: 'per second',
        text: 'Answers with a status of 500 and above. Should be zero.',
        at: (sample, before) => rateOf(before, sample, 'http_request_duration_seconds_count', 'status="5xx"'),
      },
    ],
  },
  {
    title: 'Queue and reviews',
    series: [
      {
        title: 'Operations queued',
        unit: 'operations',
        text: 'Accepted and not yet sent to the issuer. Should return to zero.',
        at: (sample) => sumOf(sample, 'operations_unfinished', 'status="queued"'),
      },
      {
        title: 'Operations in review',
        unit: 'operations',
        text: 'Waiting for a decision.',
        at: (sample) => sumOf(sample, 'operations_unfinished', 'status="manual_review"'),
      },
    ],
  },
  {
    title: 'Issuer',
    series: [
      {
        title: 'Issuer calls in flight',
        unit: 'calls',
        text: 'Sent and not answered yet.',
        at: (sample) => sumOf(sample, 'issuer_calls_in_flight'),
      },
    ],
  },
  {
    title: 'Webhooks',
    series: [
      {
        title: 'Attempts per second',
        unit: 'per second',
        text: 'Deliveries to the endpoints of companies.',
        at: (sample, before) => rateOf(before, sample, 'webhook_attempts_total'),
      },
      {
        title: 'Age of the oldest delivery',
        unit: 'seconds',
        text: 'How long a delivery to a working endpoint has waited. Should stay below two seconds.',
        at: (sample) => sumOf(sample, 'webhook_oldest_due_age_seconds', 'state="working"'),
      },
    ],
  },
]
