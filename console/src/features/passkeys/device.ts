// Asks the browser to make or to use a passkey. The library is loaded with the first passkey, because most visits need none.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { api } from '~/api/client.ts'
import { SaidError } from '~/api/errors.ts'
import type { Me } from '~/api/me.ts'

const load = () => import('@simplewebauthn/browser')

/** Browsers allow passkeys over TLS and on localhost, and never for an IP address. */
export function hasPasskeys(): boolean {
  const { hostname } = window.location
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[')
  return window.PublicKeyCredential !== undefined && !isAddress
}

/** Registers a passkey for the person who is signed in. `proof` has their password if they have no second factor yet. */
export async function addPasskey(name: string, proof: { password?: string }): Promise<unknown> {
  const optionsJSON = await api.account.beginPasskey<PublicKeyCredentialCreationOptionsJSON>(proof)
  const { startRegistration } = await load()
  const credential = await startRegistration({ optionsJSON }).catch(said)
  return api.account.addPasskey({ name, credential })
}

export async function signInWithPasskey(): Promise<Me> {
  const optionsJSON = await api.session.beginPasskeySignIn<PublicKeyCredentialRequestOptionsJSON>()
  const { startAuthentication } = await load()
  const credential = await startAuthentication({ optionsJSON }).catch(said)
  return api.session.signInWithPasskey({ credential })
}

export async function proveWithPasskey(): Promise<unknown> {
  const optionsJSON = await api.account.beginProof<PublicKeyCredentialRequestOptionsJSON>()
  const { startAuthentication } = await load()
  const credential = await startAuthentication({ optionsJSON }).catch(said)
  return api.account.prove({ credential })
}

/**
 * Lets the browser offer passkeys where the e-mail address is typed. Resolves when the person has chosen one; undefined when
 * the browser cannot do this, or when something else was begun instead.
 */
export async function signInByAutofill(): Promise<Me | undefined> {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await load()
  if (!(await browserSupportsWebAuthnAutofill())) return undefined
  const optionsJSON = await api.session.beginPasskeySignIn<PublicKeyCredentialRequestOptionsJSON>()
  const credential = await startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(() => undefined)
  return credential && api.session.signInWithPasskey({ credential })
}

export async function stopAutofill(): Promise<void> {
  const { WebAuthnAbortService } = await load()
  WebAuthnAbortService.cancelCeremony()
}

const WORDS: Readonly<Record<string, string>> = {
  NotAllowedError: 'Your device did not answer, or the prompt was closed. Try again.',
  InvalidStateError: 'This device already has a passkey for this account.',
  SecurityError: 'Passkeys do not work at this address. Open the console at the address that the operator gave you.',
  NotSupportedError: 'This device cannot store a passkey. Use another one.',
}

/** The name of the error says what went wrong. */
function said(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  throw new SaidError(WORDS[name] ?? 'The browser could not use a passkey. Try again, or use another device.')
}
