// What the health page draws: each series is a figure of five minutes.
import type { IssuerHealth, ServerPoint } from '@cardstock/sdk'

/** Where the alert rule of deploy/prometheus/alerts.yml warns, which a test compares. */
export interface Threshold {
  readonly value: number
  readonly text: string
}

export interface Series<Point> {
  readonly title: string
  readonly unit: string
  readonly text: string
  /** Returns null if the figure is not known. */
  readonly at: (point: Point) => number | null
  readonly threshold?: Threshold
}

interface Group {
  readonly title: string
  readonly series: readonly Series<ServerPoint>[]
}

export const BUCKET_MS = 300_000

const perSecond = (count: number, { minutes }: ServerPoint) => count / (minutes * 60)

export const GROUPS: readonly Group[] = [
  {
    title: 'Requests',
    series: [
      {
        title: 'Requests per second',
        unit: 'per second',
        text: 'Everything that was answered.',
        at: (point) => perSecond(point.requests, point),
      },
      {
        title: 'Server errors per second',
        unit: 'per second',
        text: 'Answers with a status of 500 and above. Should be zero.',
        at: (point) => perSecond(point.serverErrors, point),
        threshold: {
          value: 0.1,
          text: 'Dashed: 0.1, above which the alert rule for Prometheus warns after five minutes.',
        },
      },
    ],
  },
  {
    title: 'Queue and reviews',
    series: [
      {
        title: 'Operations queued',
        unit: 'operations',
        text: 'Accepted and not yet sent to the issuer, the most at the end of a minute. Should return to zero.',
        at: ({ queued }) => queued,
      },
      {
        title: 'Operations in review',
        unit: 'operations',
        text: 'Waiting for a decision, the most at the end of a minute.',
        at: ({ inReview }) => inReview,
      },
    ],
  },
  {
    title: 'Issuer calls and processes',
    series: [
      {
        title: 'Issuer calls in flight',
        unit: 'calls',
        text: 'Sent and not answered yet: the most at once of each process, added up.',
        at: ({ callsInFlight }) => callsInFlight,
      },
      {
        title: 'Processes',
        unit: 'processes',
        text: 'Processes whose figures are here, the most in a minute. Figures of a process that was killed lack its last minute.',
        at: ({ processes }) => processes,
      },
    ],
  },
  {
    title: 'Webhooks',
    series: [
      {
        title: 'Attempts per second',
        unit: 'per second',
        text: 'Attempts to deliver events to the endpoints of companies.',
        at: (point) => perSecond(point.webhookAttempts, point),
      },
      {
        title: 'Failed attempts per second',
        unit: 'per second',
        text: 'Those that delivered nothing. Most are made again.',
        at: (point) => perSecond(point.webhookFailures, point),
      },
      {
        title: 'Age of the oldest delivery',
        unit: 'seconds',
        text: 'How long a delivery to a working endpoint had waited at the end of a minute, at most. Should stay below two seconds.',
        at: ({ oldestDeliverySeconds }) => oldestDeliverySeconds,
        threshold: {
          value: 60,
          text: 'Dashed: 60, above which the alert rule for Prometheus warns after five minutes.',
        },
      },
    ],
  },
]

type IssuerPoint = IssuerHealth['history'][number]

export const ISSUER_SERIES: readonly Series<IssuerPoint>[] = [
  {
    title: 'Time to answer',
    unit: 'ms',
    text: 'The average of five minutes. No line: there was no answer.',
    at: ({ latencyMs }) => latencyMs,
  },
  {
    title: 'Calls without a clear answer',
    unit: '% of calls',
    text: 'Of five minutes. No line: there was no call.',
    at: ({ answered, unanswered }) => (unanswered / (answered + unanswered)) * 100,
    threshold: {
      value: 5,
      text: 'Dashed: 5%. The alert rule for Prometheus warns when more outcomes than that are unknown for five minutes.',
    },
  },
]

export interface HistoryPoint {
  readonly atMs: number
  readonly value: number | null
}

/** The figures of every five minutes from the first that is known to the end, those that are not known included. */
export function historyOf<Point extends { readonly at: string }>(
  points: readonly Point[],
  { at }: Series<Point>,
  untilMs: number,
): readonly HistoryPoint[] {
  const known = new Map(points.map((point) => [Date.parse(point.at), at(point)]))
  const times = [...known.keys()]
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const count =
    times.length === 0 ? 0 : Math.max((last - first) / BUCKET_MS + 1, Math.ceil((untilMs - first) / BUCKET_MS))
  return Array.from({ length: count }, (_, index) => {
    const atMs = first + index * BUCKET_MS
    return { atMs, value: known.get(atMs) ?? null }
  })
}
