// The trace of an operation. Its ids are derived from the operation's id, so that every process finds the same trace without
// a column in the database and without a header between processes.
import { createHash } from 'node:crypto'
import type { SpanContext, Tracer } from '@opentelemetry/api'
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace-base'

export type TraceIds = Pick<SpanContext, 'traceId' | 'spanId'>

const TRACE_ID_DIGITS = 32
const SPAN_ID_DIGITS = 16

/**
 * Returns the ids of the trace and of its first span. They are hashed, because the first half of an operation's id is its time:
 * samplers that compare the trace id with a ratio need ids that are spread evenly.
 */
export function idsOf(operationId: string): TraceIds {
  const digest = createHash('sha256').update(operationId).digest('hex')
  return {
    traceId: digest.slice(0, TRACE_ID_DIGITS),
    spanId: digest.slice(TRACE_ID_DIGITS, TRACE_ID_DIGITS + SPAN_ID_DIGITS),
  }
}

/** Generates random ids, except for a span that is started inside `use`. */
export class ChosenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  #chosen: TraceIds | undefined

  use<Result>(ids: TraceIds, start: () => Result): Result {
    this.#chosen = ids
    try {
      return start()
    } finally {
      this.#chosen = undefined
    }
  }

  generateTraceId(): string {
    return this.#chosen?.traceId ?? this.#random.generateTraceId()
  }

  generateSpanId(): string {
    return this.#chosen?.spanId ?? this.#random.generateSpanId()
  }
}

/** Returns the first span of an operation's trace, which another process may have recorded. */
export function operationContext(
  { tracer, ids }: { tracer: Tracer; ids: ChosenIds },
  operationId: string,
): SpanContext {
  const chosen = idsOf(operationId)
  // A span that is never ended is never exported. It only tells how the sampler decided about this trace: the decision
  // depends on the trace id alone, so it is the same in the process that accepted the operation.
  const { traceFlags } = ids.use(chosen, () => tracer.startSpan('accept operation', { root: true })).spanContext()
  return { ...chosen, traceFlags, isRemote: true }
}
