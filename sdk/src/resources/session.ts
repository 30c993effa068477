// Signing in and out of the console, one-time links, and the second factor.
import type { CompanyKind, Scope } from '../generated/values.ts'
import type { CallOptions } from '../options.ts'
import { Resource } from '../list.ts'

export interface ConsoleMe {
  id: string
  name: string
  email: string
  /** In which the console shows times; null for UTC. */
  timeZone: string | null
  hasPassword: boolean
  hasSecondFactor: boolean
  verifiedUntil: string | null
  /** For people who work for the card programme. */
  programmeRole: 'operator' | 'support' | null
  companies: ConsoleCompany[]
  hasLiveIssuer: boolean
}

export interface ConsoleCompany {
  id: string
  name: string
  kind: CompanyKind
  verification: string
  suspended: boolean
  role: string
  permissions: { sandbox: Scope[]; live: Scope[] }
}

export interface OneTimeLink {
  kind: 'invitation' | 'reset' | 'sign_in'
  email: string
  name: string | null
  role: string | null
  company: { id: string; name: string } | null
  expiresAt: string
}

/** A browser in which the person is signed in. */
export interface SignedInBrowser {
  id: string
  createdAt: string
  lastSeenAt: string
  expiresAt: string
  address: string
  userAgent: string
  isCurrent: boolean
}

interface Call {
  call(route: string, input: object, options?: CallOptions): Promise<unknown>
}

export class ConsoleSession extends Resource {
  get #send(): Call {
    return this.transport
  }

  me(options?: CallOptions): Promise<ConsoleMe> {
    return this.#send.call('GET /console/v1/me', {}, options) as Promise<ConsoleMe>
  }

  signIn(body: { email: string; password: string; code?: string }): Promise<ConsoleMe> {
    return this.#send.call('POST /console/v1/sign-in', { body }) as Promise<ConsoleMe>
  }

  /** What the browser needs to use a passkey, in the JSON form of WebAuthn. */
  beginPasskeySignIn<Request>(): Promise<Request> {
    return this.#send.call('POST /console/v1/sign-in/passkey/start', {}) as Promise<Request>
  }

  signInWithPasskey(body: { credential: object }): Promise<ConsoleMe> {
    return this.#send.call('POST /console/v1/sign-in/passkey', { body }) as Promise<ConsoleMe>
  }

  signOut(): Promise<void> {
    return this.#send.call('POST /console/v1/sign-out', {}) as Promise<void>
  }

  sessions(options?: CallOptions): Promise<{ data: SignedInBrowser[] }> {
    return this.#send.call('GET /console/v1/sessions', {}, options) as Promise<never>
  }

  endSession(id: string): Promise<void> {
    return this.#send.call('DELETE /console/v1/sessions/{id}', { params: { id } }) as Promise<void>
  }

  endOtherSessions(): Promise<void> {
    return this.#send.call('DELETE /console/v1/sessions', {}) as Promise<void>
  }

  readLink(body: { token: string }): Promise<OneTimeLink> {
    return this.#send.call('POST /console/v1/links/read', { body }) as Promise<OneTimeLink>
  }

  /** `me` is null when the person must still sign in with the second factor. */
  openLink(body: { token: string; name?: string; password?: string }): Promise<{ me: ConsoleMe | null }> {
    return this.#send.call('POST /console/v1/links/use', { body }) as Promise<never>
  }

  /** Joins another company with the account that is signed in. */
  join(body: { token: string }): Promise<ConsoleMe> {
    return this.#send.call('POST /console/v1/me/invitations', { body }) as Promise<ConsoleMe>
  }

  verifySecondFactor(body: { code: string }): Promise<{ verifiedUntil: string }> {
    return this.#send.call('POST /console/v1/second-factor/verify', { body }) as Promise<never>
  }
}
