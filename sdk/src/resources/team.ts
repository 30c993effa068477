// A company's own people, invitations and keys. Only sessions may call these routes, so only the console has them.
import type {
  ApiKey,
  CreatedApiKey,
  CreatedInvitation,
  Invitation,
  KeyRotation,
  NewApiKey,
  PageQuery,
  Person,
  ResetLink,
} from '../generated/types.ts'
import { type List, Resource } from '../list.ts'
import type { CallOptions } from '../options.ts'

/** Who did what in the company, and when. */
export interface CompanyAuditEntry {
  readonly id: string
  /** Who did it, with what they were called then. The card programme has no names here. */
  readonly by: string
  readonly byId: string | null
  readonly action: string
  readonly object: string | null
  readonly address: string | null
  readonly createdAt: string
}

interface Call {
  call(route: string, input: object, options?: CallOptions): Promise<unknown>
  list(route: string, input: object, options?: CallOptions): unknown
  stream(route: string, input: object, accept: string, options?: CallOptions): Promise<ReadableStream<Uint8Array>>
}

export class Team extends Resource {
  get #send(): Call {
    return this.transport
  }

  people(query: PageQuery = {}, options?: CallOptions): List<Person> {
    return this.#send.list('GET /api/v1/people', { query }, options) as List<Person>
  }

  changeRole(id: string, body: { role: Person['role'] }): Promise<Person> {
    return this.#send.call('PATCH /api/v1/people/{id}', { params: { id }, body }) as Promise<Person>
  }

  remove(id: string): Promise<void> {
    return this.#send.call('DELETE /api/v1/people/{id}', { params: { id } }) as Promise<void>
  }

  /** Makes a link for somebody who cannot sign in any more. */
  reset(id: string, body: { removeSecondFactor?: boolean }): Promise<ResetLink> {
    return this.#send.call('POST /api/v1/people/{id}/reset', { params: { id }, body }) as Promise<ResetLink>
  }

  /** What was done in the company, newest first. */
  auditLog(query: PageQuery = {}, options?: CallOptions): List<CompanyAuditEntry> {
    return this.#send.list('GET /api/v1/audit-log', { query }, options) as List<CompanyAuditEntry>
  }

  /** The types of events as they happen, as server-sent events. Every role may read it. */
  changes(options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#send.stream('GET /api/v1/changes', {}, 'text/event-stream', options)
  }

  invitations(query: PageQuery = {}, options?: CallOptions): List<Invitation> {
    return this.#send.list('GET /api/v1/invitations', { query }, options) as List<Invitation>
  }

  /** The answer is the only one that has the link. */
  invite(body: { email: string; role: Person['role'] }): Promise<CreatedInvitation> {
    return this.#send.call('POST /api/v1/invitations', { body }) as Promise<CreatedInvitation>
  }

  revokeInvitation(id: string): Promise<void> {
    return this.#send.call('DELETE /api/v1/invitations/{id}', { params: { id } }) as Promise<void>
  }
}

/** The keys of the chosen environment. */
export class OwnKeys extends Resource {
  get #send(): Call {
    return this.transport
  }

  list(query: PageQuery = {}, options?: CallOptions): List<ApiKey> {
    return this.#send.list('GET /api/v1/keys', { query }, options) as List<ApiKey>
  }

  /** This answer and that of `rotate` are the only ones that hold a key in the clear. */
  create(body: Omit<NewApiKey, 'environment'>): Promise<CreatedApiKey> {
    return this.#send.call('POST /api/v1/keys', { body }) as Promise<CreatedApiKey>
  }

  rotate(id: string, body: KeyRotation): Promise<CreatedApiKey> {
    return this.#send.call('POST /api/v1/keys/{id}/rotate', { params: { id }, body }) as Promise<CreatedApiKey>
  }

  revoke(id: string): Promise<void> {
    return this.#send.call('DELETE /api/v1/keys/{id}', { params: { id } }) as Promise<void>
  }
}
