// Checks what a browser sends about a passkey with the WebAuthn library: the origin, the domain, the challenge, that the device
// has verified the person, the signature, and the counter. It must not read the database.
import type { Log } from '../../lib/log.ts'
import { type Challenge, findChallenge, type Purpose } from './challenges.ts'
import type { PeopleDeps } from '../deps.ts'
import type { KnownPasskeyRow } from './queries.ts'
import type { RelyingParty } from './relying-party.ts'
import type { PasskeyAnswer, PasskeyCreation } from './schema.ts'

/** ES256, EdDSA and RS256 by their COSE numbers: what phones, computers and security keys have. */
export const ALGORITHMS = [-7, -8, -257] as const

interface Context {
  readonly deps: Pick<PeopleDeps, 'clock' | 'keyring'>
  readonly relyingParty: RelyingParty
  readonly purpose: Purpose
  readonly log: Log
}

export interface CheckedCreation {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly isSynced: boolean
  readonly challenge: Challenge
}

/** Returns undefined when the answer is refused. */
export function checkCreation(context: Context, credential: PasskeyCreation): Promise<CheckedCreation | undefined> {
  return checked(context, async (expected) => {
    const { verifyRegistrationResponse } = await loadLibrary()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...expected,
      response: credential,
      supportedAlgorithmIDs: [...ALGORITHMS],
    })
    if (!verified) return undefined
    const { id, publicKey, counter } = registrationInfo.credential
    const credentialId = Buffer.from(id, 'base64url')
    return { credentialId, publicKey: Buffer.from(publicKey), counter, isSynced: registrationInfo.credentialBackedUp }
  })
}

export interface CheckedAnswer {
  readonly counter: number
  readonly isSynced: boolean
  readonly challenge: Challenge
}

/** Returns undefined when the answer is refused. */
export function checkAnswer(
  context: Context,
  answer: PasskeyAnswer,
  { rp_id, public_key, counter }: KnownPasskeyRow,
): Promise<CheckedAnswer | undefined> {
  return checked(context, async (expected) => {
    // A passkey of another name of this server would have another hash anyway; this says it before the work.
    if (rp_id !== expected.expectedRPID) return undefined
    const { verifyAuthenticationResponse } = await loadLibrary()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      response: answer,
      credential: { id: answer.id, publicKey: new Uint8Array(public_key), counter: Number(counter) },
    })
    if (!verified) return undefined
    return { counter: authenticationInfo.newCounter, isSynced: authenticationInfo.credentialBackedUp }
  })
}

interface Expected {
  readonly expectedChallenge: (text: string) => boolean
  readonly expectedOrigin: string[]
  readonly expectedRPID: string
  readonly requireUserVerification: true
}

async function checked<Result>(
  { deps, relyingParty, purpose, log }: Context,
  check: (expected: Expected) => Promise<Result | undefined>,
): Promise<(Result & { challenge: Challenge }) | undefined> {
  let challenge: Challenge | undefined
  const expectedChallenge = (text: string) => {
    challenge = findChallenge(deps, purpose, text)
    return challenge !== undefined
  }
  const expected: Expected = {
    expectedChallenge,
    expectedOrigin: [...relyingParty.origins],
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
  }
  try {
    const result = await check(expected)
    return result === undefined || challenge === undefined ? undefined : { ...result, challenge }
  } catch (error) {
    // The library throws for everything that is wrong with an answer. The browser learns only that it was refused.
    log.info({ reason: error instanceof Error ? error.message : String(error) }, 'passkey refused')
    return undefined
  }
}

/** Loading it takes half a second, so it is loaded when the first passkey is used. */
function loadLibrary() {
  return import('@simplewebauthn/server')
}
