// The spans of a server: what each is called, what it says and what it links. Ids are written as the API writes them.
import { ROOT_CONTEXT, type Span, type SpanContext, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { type Context, trace, TraceFlags, type Tracer } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { systemClock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { type ChosenIds, idsOf, operationContext } from './operation-trace.ts'
import type { AttemptSpan, BatchSpan, CallSpan, DeliveryAttempt } from './tracing.ts'
import type { IssuerCall, RequestSpan, TracedRequest } from './tracing.ts'

export interface Source {
  readonly tracer: Tracer
  readonly ids: ChosenIds
}

const SERVER_ERROR = 500

export function startRequest(source: Source, { method, route, requestId, traceparent }: TracedRequest): RequestSpan {
  const caller = traceparent === undefined ? null : parseTraceParent(traceparent)
  const attributes = {
    'http.request.method': method,
    'cardstock.request.id': requestId,
    ...(route === undefined ? {} : { 'http.route': route }),
  }
  const name = route === undefined ? method : `${method} ${route}`
  // Never the parent: a caller could make us record everything, or write into a trace whose id it knows (ADR-10).
  const links = caller === null ? [] : [{ context: { ...caller, isRemote: true } }]
  const span = source.tracer.startSpan(name, { kind: SpanKind.SERVER, attributes, links }, ROOT_CONTEXT)
  return {
    context: span.spanContext(),
    linkOperation(id) {
      if (!span.isRecording()) return
      span.setAttribute('cardstock.operation.id', formatId('op', id))
      span.addLinks(linkTo(operationContext(source, id)))
    },
    end({ status, errorCode }) {
      span.setAttribute('http.response.status_code', status)
      if (errorCode !== undefined) span.setAttribute('error.type', errorCode)
      finish(span, status >= SERVER_ERROR)
    },
  }
}

export function startBatch({ tracer, ids }: Source, requests: readonly (RequestSpan | undefined)[]): BatchSpan {
  const startTime = systemClock.now()
  const attributes = { 'cardstock.batch.size': requests.length }
  const links = requests.flatMap((request) => linkTo(request?.context))
  const batch = tracer.startSpan('accept batch', { attributes, links, startTime }, ROOT_CONTEXT)
  const toBatch = linkTo(batch.spanContext())
  return {
    accept({ id, type, environment }, request) {
      const about = {
        'cardstock.operation.id': formatId('op', id),
        'cardstock.operation.type': type,
        'cardstock.environment': environment,
      }
      const options = { attributes: about, links: [...toBatch, ...linkTo(request?.context)], startTime }
      ids.use(idsOf(id), () => tracer.startSpan('accept operation', options, ROOT_CONTEXT)).end()
    },
    end: () => batch.end(),
    fail(error) {
      batch.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
      finish(batch, true)
    },
  }
}

export function startCall(source: Source, { environment, action, operationId, attempt }: IssuerCall): CallSpan {
  const attributes = {
    'cardstock.environment': environment,
    'cardstock.attempt': attempt,
    ...(operationId === undefined ? {} : { 'cardstock.operation.id': formatId('op', operationId) }),
  }
  const options = { kind: SpanKind.CLIENT, attributes }
  const span = source.tracer.startSpan(`issuer ${action}`, options, parentOf(source, operationId))
  return {
    end(outcome, isError) {
      span.setAttribute('cardstock.outcome', outcome)
      finish(span, isError)
    },
  }
}

export function startAttempt(source: Source, delivery: DeliveryAttempt): AttemptSpan {
  const { environment, eventId, eventType, endpointId, attempt, operationId } = delivery
  const attributes = {
    'cardstock.environment': environment,
    'cardstock.event.id': formatId('evt', eventId),
    'cardstock.event.type': eventType,
    'cardstock.webhook_endpoint.id': formatId('we', endpointId),
    'cardstock.attempt': attempt,
    ...(operationId === undefined ? {} : { 'cardstock.operation.id': formatId('op', operationId) }),
  }
  const options = { kind: SpanKind.CLIENT, attributes }
  const span = source.tracer.startSpan('webhook deliver', options, parentOf(source, operationId))
  return {
    end(outcome, status) {
      span.setAttribute('cardstock.outcome', outcome)
      if (status !== undefined) span.setAttribute('http.response.status_code', status)
      finish(span, outcome !== 'delivered')
    },
  }
}

/** Returns the parent of what happens to an operation later, in any process. Without an operation, a trace begins. */
function parentOf(source: Source, operationId: string | undefined): Context {
  if (operationId === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, operationContext(source, operationId))
}

/** Returns no link to a span that is not recorded, because nobody could follow it. */
function linkTo(context: SpanContext | undefined): { context: SpanContext }[] {
  return context === undefined || (context.traceFlags & TraceFlags.SAMPLED) === 0 ? [] : [{ context }]
}

function finish(span: Span, isError: boolean): void {
  if (isError) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
