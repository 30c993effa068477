// What people change about their own account: profile, password, authenticator app, recovery codes and passkeys.
import { Resource } from '../list.ts'
import type { CallOptions } from '../options.ts'
import type { ConsoleMe } from './session.ts'

export interface SecondFactors {
  totp: boolean
  passkeys: number
  recoveryCodesLeft: number
}

export interface Passkey {
  id: string
  name: string
  domain: string
  isSynced: boolean
  createdAt: string
  lastUsedAt: string | null
}

/** An authenticator app to set up: the secret to type, and the same as an address for a QR code. */
export interface AppSetup {
  secret: string
  uri: string
}

/** What the person is told by e-mail; null for what no role of theirs gets. */
export interface Notifications {
  /** Whether the server has a mail server. */
  sendsMail: boolean
  reviews: boolean | null
  lowBalance: boolean | null
  endpoints: boolean | null
  keys: boolean | null
}

interface Call {
  call(route: string, input: object, options?: CallOptions): Promise<unknown>
}

/** `Creation` and `Request` are the options that the browser takes, in the JSON form of WebAuthn. */
export class ConsoleAccount extends Resource {
  get #send(): Call {
    return this.transport
  }

  change(body: { name?: string; email?: string; password?: string }): Promise<ConsoleMe> {
    return this.#send.call('PATCH /console/v1/me', { body }) as Promise<ConsoleMe>
  }

  /** Ends every other session. `currentPassword` is needed once there is a password. */
  changePassword(body: { currentPassword?: string; newPassword: string }): Promise<void> {
    return this.#send.call('POST /console/v1/password', { body }) as Promise<void>
  }

  /** Null for UTC. */
  setTimeZone(body: { timeZone: string | null }): Promise<{ timeZone: string | null }> {
    return this.#send.call('PUT /console/v1/time-zone', { body }) as Promise<{ timeZone: string | null }>
  }

  notifications(options?: CallOptions): Promise<Notifications> {
    return this.#send.call('GET /console/v1/notifications', {}, options) as Promise<Notifications>
  }

  /** Turns mails on or off. What is left out stays as it is. */
  changeNotifications(
    body: Partial<Record<Exclude<keyof Notifications, 'sendsMail'>, boolean>>,
  ): Promise<Notifications> {
    return this.#send.call('PATCH /console/v1/notifications', { body }) as Promise<Notifications>
  }

  secondFactors(options?: CallOptions): Promise<SecondFactors> {
    return this.#send.call('GET /console/v1/second-factor', {}, options) as Promise<SecondFactors>
  }

  /** Somebody who has a password and no second factor sends the password again. */
  beginApp(body: { password?: string }): Promise<AppSetup> {
    return this.#send.call('POST /console/v1/second-factor/totp', { body }) as Promise<AppSetup>
  }

  confirmApp(body: { code: string }): Promise<{ recoveryCodes: string[] }> {
    return this.#send.call('POST /console/v1/second-factor/totp/confirm', { body }) as Promise<never>
  }

  removeApp(): Promise<void> {
    return this.#send.call('DELETE /console/v1/second-factor/totp', {}) as Promise<void>
  }

  renewRecoveryCodes(): Promise<{ recoveryCodes: string[] }> {
    return this.#send.call('POST /console/v1/second-factor/recovery-codes', {}) as Promise<never>
  }

  passkeys(options?: CallOptions): Promise<{ data: Passkey[] }> {
    return this.#send.call('GET /console/v1/passkeys', {}, options) as Promise<never>
  }

  /** Somebody who has a password and no second factor sends the password again. */
  beginPasskey<Creation>(body: { password?: string }): Promise<Creation> {
    return this.#send.call('POST /console/v1/passkey-registrations', { body }) as Promise<Creation>
  }

  addPasskey(body: { name: string; credential: object }): Promise<Passkey> {
    return this.#send.call('POST /console/v1/passkeys', { body }) as Promise<Passkey>
  }

  renamePasskey(id: string, body: { name: string }): Promise<Passkey> {
    return this.#send.call('PATCH /console/v1/passkeys/{id}', { params: { id }, body }) as Promise<Passkey>
  }

  removePasskey(id: string): Promise<void> {
    return this.#send.call('DELETE /console/v1/passkeys/{id}', { params: { id } }) as Promise<void>
  }

  beginProof<Request>(): Promise<Request> {
    return this.#send.call('POST /console/v1/second-factor/passkey/start', {}) as Promise<Request>
  }

  /** Proves the second factor for ten minutes. */
  prove(body: { credential: object }): Promise<{ verifiedUntil: string }> {
    return this.#send.call('POST /console/v1/second-factor/passkey', { body }) as Promise<never>
  }
}
