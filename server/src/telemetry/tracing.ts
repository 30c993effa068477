// Traces: what a server records of requests, batches, calls of the issuer and webhooks when a collector is configured.
// Without one there is no Tracing, and OpenTelemetry's packages are not even loaded.
import type { SpanContext } from '@opentelemetry/api'
import type { Log } from '../lib/log.ts'
import type { Environment } from '../lib/scope.ts'

/** The calls may never fail, and record no secret, name, card, address or body. Ids are as in the database. */
export interface Tracing {
  startRequest(request: TracedRequest): RequestSpan
  /** One span for a batch, which links the spans of the requests that it serves. */
  startBatch(requests: readonly (RequestSpan | undefined)[]): BatchSpan
  startCall(call: IssuerCall): CallSpan
  startAttempt(attempt: DeliveryAttempt): AttemptSpan
  /** Sends what is left. Takes two seconds at most, whatever the collector does. */
  close(): Promise<void>
}

export interface TracedRequest {
  readonly method: string
  /** The route's path with its parameters' names. Undefined for a path that no route has. */
  readonly route: string | undefined
  readonly requestId: string
  /** The caller's own span, as it says. It is linked and never the parent. */
  readonly traceparent: string | undefined
}

export interface RequestSpan {
  readonly context: SpanContext
  /** Links the trace of the operation that the request created or repeated. */
  linkOperation(id: string): void
  end(answer: { status: number; errorCode: string | undefined }): void
}

export interface BatchSpan {
  /** Begins the trace of an operation that this batch has accepted. */
  accept(operation: AcceptedInBatch, request: RequestSpan | undefined): void
  end(): void
  fail(error: unknown): void
}

export interface AcceptedInBatch {
  readonly id: string
  readonly type: string
  readonly environment: Environment
}

export interface IssuerCall {
  readonly environment: Environment
  /** What the issuer is asked for, such as `issue` or `look_up`. */
  readonly action: string
  /** The operation that the call is about, if it is about one. */
  readonly operationId?: string | undefined
  /** Counts from 1 for each action. */
  readonly attempt: number
}

export interface CallSpan {
  end(outcome: string, isError: boolean): void
}

export interface DeliveryAttempt {
  readonly environment: Environment
  readonly eventId: string
  readonly eventType: string
  readonly endpointId: string
  readonly attempt: number
  /** The operation that the event is about, if it is about one. */
  readonly operationId: string | undefined
}

export interface AttemptSpan {
  /** The status is undefined when no complete answer arrived. */
  end(outcome: string, status: number | undefined): void
}

/** The part of the settings that turns traces on. Everything else about them is in variables that the SDK reads itself. */
export interface TracingSettings {
  /** Where spans are posted, with the path. */
  readonly url: string
}

export interface TracingOptions {
  readonly log: Log
  readonly version: string
  readonly role: string
  /** How long a stop waits for the last export. */
  readonly closeWithinMs?: number
}

/** Returns undefined when traces are off. */
export async function openTracing(
  settings: TracingSettings | undefined,
  options: TracingOptions,
): Promise<Tracing | undefined> {
  if (settings === undefined) return undefined
  const { createTracing } = await import('./sdk.ts')
  return createTracing(settings, options)
}
