// Routes as data: what a call is named, who may make it, what goes in, what comes out, and who does the work.
// The server, the access tests and the OpenAPI document all read the same list.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Static, TSchema } from 'typebox'
import type { Actor } from '../access/audit.ts'
import type { Caller } from '../access/caller.ts'
import type { Capability, Permission } from '../access/permissions.ts'
import type { Session } from '../access/session.ts'
import type { ErrorCode } from '../errors.ts'
import type { Log } from '../lib/log.ts'
import type { RequestSpan } from '../telemetry/tracing.ts'

export type Access =
  /** `console`: a browser calls it without a session yet, so it must come from our own pages. */
  | { readonly by: 'anyone'; readonly console?: boolean }
  | { readonly by: 'operator' }
  /** Any signed-in person, about themselves. `stepUp`: those who have a second factor must have proved it just now. */
  | {
      readonly by: 'person'
      readonly stepUp?: boolean
      /** Whether it does not count as a change: it proves who somebody is or ends a session, and leaves few audit records. */
      readonly isUncounted?: boolean
    }
  /** A signed-in person in one of their companies; API keys may not. */
  | { readonly by: 'member'; readonly anyOf: readonly Permission[]; readonly changesPeople?: boolean }
  | {
      readonly by: 'company'
      /** Any one of these is enough to enter; none listed means that every key may. */
      readonly anyOf: readonly Permission[]
      /** The exact permission, when it depends on what the body asks for. Undefined: the body is not valid anyway. */
      readonly exactly?: (body: unknown) => Permission | undefined
      readonly sandboxOnly?: boolean
      /** Whether a suspended company may call it. Every GET is, unless it says otherwise. */
      readonly openWhileSuspended?: boolean
      /** Whether it only computes, although it is not a GET. */
      readonly changesNothing?: boolean
      /** What a live key's company must have been activated for. */
      readonly liveNeeds?: Capability
      /** A separate limit, in addition to the limit of the key. */
      readonly rate?: 'statements'
    }

export interface Answer {
  readonly status: number
  /** A value for the response schema, or finished text, bytes or a stream of them; from `produce` also a generator of text. */
  readonly body?: unknown
  /**
   * Builds the body when that takes work. Not called for HEAD, so refusals that need no body must come before it. The response
   * emits `close` when the client disconnects.
   */
  readonly produce?: (response: ServerResponse) => Promise<unknown>
  /** What `produce` reads: of each, a company has few under way at a time (company-reads.ts). Undefined: next to nothing. */
  readonly read?: 'page' | 'list'
  readonly headers?: Readonly<Record<string, string | string[]>>
}

interface Shape {
  params: TSchema | undefined
  query: TSchema | undefined
  body: TSchema | undefined
}
type Value<Schema> = Schema extends TSchema ? Static<Schema> : undefined

export interface BaseCall<S extends Shape> {
  readonly params: Value<S['params']>
  readonly query: Value<S['query']>
  readonly body: Value<S['body']>
  readonly requestId: string
  readonly address: string
  readonly headers: IncomingHttpHeaders
  /** Path and query as they were sent. */
  readonly url: string
  /** The body as it was sent, for signatures; empty unless the route has `keepsRawBody`. */
  readonly rawBody: string
  readonly accept: string | undefined
  /** Whether the client reached this server over TLS, as far as trusted proxies tell. */
  readonly isSecure: boolean
  readonly log: Log
  /** Undefined when traces are off. */
  readonly span: RequestSpan | undefined
}

export interface CompanyCall<S extends Shape = Shape> extends BaseCall<S> {
  readonly caller: Caller
  /** Checked when the route is idempotent, otherwise the empty string. */
  readonly idempotencyKey: string
  /** Refuses if the caller may no longer make this call. For answers that take long. */
  recheck(): Promise<void>
}

export interface OperatorCall<S extends Shape = Shape> extends BaseCall<S> {
  readonly actor: Actor
}

export interface MemberCall<S extends Shape = Shape> extends BaseCall<S> {
  readonly caller: Caller
  readonly actor: Actor
  /** Refuses if the person may no longer make this call. For answers that take long. */
  recheck(): Promise<void>
}

export interface PersonCall<S extends Shape = Shape> extends BaseCall<S> {
  readonly session: Session
  readonly actor: Actor
}

export interface RouteText {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With parameters as `:name`. */
  readonly path: string
  readonly tag: string
  /** The operationId of the documents: a verb and a noun, unique. Code generators name the method after it. */
  readonly id: string
  /** Names the call in a list, in a few words. */
  readonly summary: string
  /** What the call does, its limits, and what happens next. Markdown. */
  readonly description: string
  /** The error codes of the route's own rules; the others follow from its declaration (openapi/refusals.ts). */
  readonly refusals?: readonly ErrorCode[]
  /** The path that reads what this call created, when it is not this path followed by the id. */
  readonly readAt?: string
}

interface Schemas<S extends Shape> {
  readonly params?: S['params']
  readonly query?: S['query']
  readonly body?: S['body']
  /** By status; null for an answer without a body. */
  readonly responses: Readonly<Record<number, TSchema | null>>
  /** Media types of a success besides JSON. */
  readonly alsoAs?: readonly string[]
  /** Needs an Idempotency-Key header. */
  readonly idempotent?: boolean
  readonly keepsRawBody?: boolean
  /** Refuses by throwing, before the body is parsed. For bodies that are signed; `rawBody` is empty if there is none. */
  readonly checkRawBody?: (headers: IncomingHttpHeaders, rawBody: string) => void
  /** Returns the headers that sign an answer, a refusal too. For bodies that are signed; `rawBody` is empty if it was not read. */
  readonly signAnswer?: (
    request: { readonly headers: IncomingHttpHeaders; readonly rawBody: string },
    answer: { readonly status: number; readonly body: string },
  ) => Readonly<Record<string, string>>
}

export interface Route extends RouteText, Schemas<Shape> {
  readonly access: Access
  handle(call: CompanyCall & PersonCall): Promise<Answer>
}

type Definition<S extends Shape, Call> = RouteText & Schemas<S> & { handle(call: Call): Promise<Answer> }

// The server validates with the route's schemas before it calls the handler, so these casts are safe.
export function companyRoute<
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  access: Omit<Extract<Access, { by: 'company' }>, 'by'>,
  definition: Definition<{ params: P; query: Q; body: B }, CompanyCall<{ params: P; query: Q; body: B }>>,
): Route {
  const openWhileSuspended = definition.method === 'GET'
  return { ...definition, access: { by: 'company', openWhileSuspended, ...access } } as unknown as Route
}

export function operatorRoute<
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(definition: Definition<{ params: P; query: Q; body: B }, OperatorCall<{ params: P; query: Q; body: B }>>): Route {
  return { ...definition, access: { by: 'operator' } } as unknown as Route
}

export function memberRoute<
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  access: Omit<Extract<Access, { by: 'member' }>, 'by'>,
  definition: Definition<{ params: P; query: Q; body: B }, MemberCall<{ params: P; query: Q; body: B }>>,
): Route {
  return { ...definition, access: { by: 'member', ...access } } as unknown as Route
}

export function personRoute<
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  access: Omit<Extract<Access, { by: 'person' }>, 'by'>,
  definition: Definition<{ params: P; query: Q; body: B }, PersonCall<{ params: P; query: Q; body: B }>>,
): Route {
  return { ...definition, access: { by: 'person', ...access } } as unknown as Route
}

/** For calls of the console before anybody has signed in. */
export function visitorRoute<
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(definition: Definition<{ params: P; query: Q; body: B }, BaseCall<{ params: P; query: Q; body: B }>>): Route {
  return { ...definition, access: { by: 'anyone', console: true } } as unknown as Route
}

export function publicRoute<
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(definition: Definition<{ params: P; query: Q; body: B }, BaseCall<{ params: P; query: Q; body: B }>>): Route {
  return { ...definition, access: { by: 'anyone' } } as unknown as Route
}

export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' } as const

export const ok = (body: unknown): Answer => ({ status: 200, body })

/** For an answer that is one of several objects: written as it is, because a serialiser would have to guess which. */
export function okAsIs(body: unknown): Answer {
  return { status: 200, body: JSON.stringify(body), headers: JSON_HEADERS }
}

/** A repeated request with the same Idempotency-Key gets the first answer, with a header that marks the replay. */
export function created(location: string, body: unknown, { replayed = false } = {}): Answer {
  const headers = replayed ? { location, 'idempotent-replayed': 'true' } : { location }
  return { status: 201, body, headers }
}

export const noContent = (): Answer => ({ status: 204 })
