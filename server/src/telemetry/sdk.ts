// Creates the traces with OpenTelemetry's packages. Only openTracing loads this file, and only when traces are on.
// Nothing is registered globally and no module is patched.
import { diag, DiagLogLevel } from '@opentelemetry/api'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { systemClock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { createExporter } from './exporter.ts'
import { ChosenIds } from './operation-trace.ts'
import { startAttempt, startBatch, startCall, startRequest } from './spans.ts'
import type { Tracing, TracingOptions, TracingSettings } from './tracing.ts'

/** What a stop waits for the last export. A stop as a whole may take ten seconds. */
const CLOSE_WITHIN_MS = 2_000

export function createTracing(settings: TracingSettings, options: TracingOptions): Tracing {
  const ids = new ChosenIds()
  const provider = createProvider(settings, options, ids)
  const source = { tracer: provider.getTracer('cardstock', options.version), ids }
  return {
    startRequest: (request) => startRequest(source, request),
    startBatch: (requests) => startBatch(source, requests),
    startCall: (call) => startCall(source, call),
    startAttempt: (attempt) => startAttempt(source, attempt),
    close: () => within(provider.shutdown(), options.closeWithinMs ?? CLOSE_WITHIN_MS),
  }
}

/** The SDK warns about wrong values of its own variables only here, so its messages are logged only here. */
function createProvider(
  settings: TracingSettings,
  { log, version, role }: TracingOptions,
  ids: ChosenIds,
): BasicTracerProvider {
  diag.setLogger(toDiagLogger(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  try {
    const own = resourceFromAttributes({
      'service.name': 'cardstock',
      'service.version': version,
      'service.instance.id': newId(systemClock.now()),
      'cardstock.role': role,
    })
    const resource = defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] }))
    const processor = new BatchSpanProcessor(createExporter(settings, log))
    return new BasicTracerProvider({ resource, idGenerator: ids, spanProcessors: [processor] })
  } finally {
    diag.disable()
  }
}

function toDiagLogger(log: Log) {
  const warn = (message: string) => log.warn({ reason: message }, 'A setting of traces is ignored.')
  const ignore = () => {}
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore }
}

/** Never rejects: why an export failed is logged where it fails. */
async function within(work: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([work.catch(() => undefined), limit])
  clearTimeout(timer)
}
