// Sends spans to the collector by OTLP over HTTP, and logs trouble once when it begins and once when it is over.
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Log } from '../lib/log.ts'
import type { TracingSettings } from './tracing.ts'

/** A full queue is four exports, which a stop begins all at once. A collector that never ends its answers holds no more. */
const EXPORTS_IN_FLIGHT_MAX = 8
/** How long the doctor waits, with retries. */
const PROBE_MS = 3_000
/** Enough of an error to recognise it in a line of the log. */
const REASON_LENGTH_MAX = 200

export function createExporter({ url }: TracingSettings, log: Log): SpanExporter {
  const exporter = new OTLPTraceExporter({ url, concurrencyLimit: EXPORTS_IN_FLIGHT_MAX })
  const watch = createWatch(url, log)
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        watch(result, spans.length)
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}

/** Sends an empty export. Returns why it failed, or undefined. */
export function probeCollector({ url }: TracingSettings, timeoutMillis = PROBE_MS): Promise<string | undefined> {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis })
  return new Promise((resolve) => exporter.export([], (result) => resolve(findReason(result))))
}

function createWatch(url: string, log: Log): (result: ExportResult, spanCount: number) => void {
  let lost = 0
  return (result, spanCount) => {
    const reason = findReason(result)
    if (reason !== undefined) {
      if (lost === 0) {
        log.warn({ url, reason }, 'Traces cannot be sent to the collector and are dropped until it answers again.')
      }
      lost += spanCount
    } else if (lost > 0) {
      log.info({ url, lost }, 'Traces are sent to the collector again.')
      lost = 0
    }
  }
}

/** The body of a refusal is left out, because it may repeat what was sent. */
function findReason({ code, error }: ExportResult): string | undefined {
  if (code === ExportResultCode.SUCCESS) return undefined
  const status = error !== undefined && 'code' in error ? String(error.code) : ''
  const text = `${status} ${error?.message ?? ''}`.trim()
  return text === '' ? 'no answer' : text.slice(0, REASON_LENGTH_MAX)
}
