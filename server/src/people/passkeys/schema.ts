// Passkeys on the wire. The names of the fields that browsers make and read are those of WebAuthn.
import { type Static, type TSchema, Type } from 'typebox'
import { formatId } from '../../lib/ids.ts'
import { field, nullable, object, Timestamp, visibleText } from '../../lib/wire.ts'
import { Password } from '../schema.ts'
import type { PasskeyRow } from './queries.ts'

/** The longest id that WebAuthn allows has 1023 bytes. */
const CREDENTIAL_ID_LENGTH_MAX = 1364
/** Answers of browsers have some hundred characters; attestations, which nobody asks for, a few thousand. */
const ENCODED_LENGTH_MAX = 16_384
/** WebAuthn names fewer ways to reach a device. */
const TRANSPORTS_MAX = 10

const Encoded = Type.String({
  minLength: 1,
  maxLength: ENCODED_LENGTH_MAX,
  pattern: '^[A-Za-z0-9_-]+$',
  hint: 'bytes in base64url',
})
const CredentialId = Type.String({
  minLength: 1,
  maxLength: CREDENTIAL_ID_LENGTH_MAX,
  pattern: '^[A-Za-z0-9_-]+$',
  hint: 'the id of a credential in base64url',
})
const PublicKeyType = Type.Enum(['public-key'])
const Transport = Type.String({ minLength: 1, maxLength: 20, pattern: '^[a-z-]+$', hint: 'such as usb or internal' })

/** Browsers add fields as WebAuthn grows, so unknown ones are ignored. */
function made<Properties extends Record<string, TSchema>>(properties: Properties, name: string, description: string) {
  return Type.Object(properties, { additionalProperties: true, title: name, description })
}

export const PasskeyName = visibleText(100, 'a name')

export const Passkey = object(
  {
    id: field(Type.String(), 'The id of the passkey, `psk_…`.'),
    name: field(Type.String(), 'The name that the person gave it.'),
    domain: field(Type.String(), 'The domain name that it works for.'),
    isSynced: field(Type.Boolean(), 'Whether the person has it on several devices, through the maker of the device.'),
    createdAt: field(Timestamp, 'When it was registered.'),
    lastUsedAt: nullable(field(Timestamp, 'When it was last used. Null when it never was.')),
  },
  'Passkey',
  'A passkey of the person.',
)

export const PasskeyStart = object(
  {
    password: Type.Optional(
      field(Password, 'The password again. Needed by somebody who has a password and no second factor yet.'),
    ),
  },
  'PasskeyStart',
  'Who registers a passkey.',
)

const Descriptor = object(
  {
    id: field(CredentialId, 'The id of the credential.'),
    type: field(PublicKeyType, 'The kind of credential.'),
    transports: field(Type.Array(Transport), 'How the browser reaches the device.'),
  },
  'PasskeyDescriptor',
  'A passkey as browsers know it.',
)

export const PasskeyCreationOptions = object(
  {
    challenge: field(Encoded, 'What the device signs. It works once, for five minutes.'),
    rp: field(
      object(
        {
          id: field(Type.String(), 'The domain name that the passkey will work for.'),
          name: field(Type.String(), 'The name that the browser shows.'),
        },
        'PasskeyRelyingParty',
        'Who asks.',
      ),
      'This server.',
    ),
    user: field(
      object(
        {
          id: field(Encoded, 'The id of the person, in bytes.'),
          name: field(Type.String(), 'The e-mail address of the person.'),
          displayName: field(Type.String(), 'The name of the person.'),
        },
        'PasskeyUser',
        'Whose passkey it will be.',
      ),
      'The person.',
    ),
    pubKeyCredParams: field(
      Type.Array(
        object(
          {
            type: field(PublicKeyType, 'The kind of credential.'),
            alg: field(Type.Integer(), 'The COSE number of the algorithm.'),
          },
          'PasskeyAlgorithm',
          'An algorithm for signatures.',
        ),
      ),
      'The algorithms that this server can check, best first.',
    ),
    timeout: field(Type.Integer(), 'How long the browser waits for the person, in milliseconds.'),
    excludeCredentials: field(Type.Array(Descriptor), 'The passkeys that the person has already.'),
    authenticatorSelection: field(
      object(
        {
          residentKey: field(Type.Enum(['required']), 'The device must be able to offer the passkey by itself.'),
          requireResidentKey: field(Type.Boolean(), 'The same, for old browsers.'),
          userVerification: field(Type.Enum(['required']), 'The device must verify the person.'),
        },
        'PasskeySelection',
        'What the device must be able to do.',
      ),
      'What the device must be able to do.',
    ),
    attestation: field(Type.Enum(['none']), 'Nothing about the maker of the device is asked for.'),
  },
  'PasskeyCreationOptions',
  'What the browser needs to make a passkey: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn.',
)

export const PasskeyRequestOptions = object(
  {
    challenge: field(Encoded, 'What the device signs. It works once, for five minutes.'),
    rpId: field(Type.String(), 'The domain name that the passkey must be for.'),
    timeout: field(Type.Integer(), 'How long the browser waits for the person, in milliseconds.'),
    userVerification: field(Type.Enum(['required']), 'The device must verify the person.'),
    allowCredentials: field(Type.Array(Descriptor), 'The passkeys to choose from. Empty: any for this domain.'),
  },
  'PasskeyRequestOptions',
  'What the browser needs to use a passkey: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn.',
)

const credentialFields = {
  id: field(CredentialId, 'The id of the credential.'),
  rawId: field(CredentialId, 'The same.'),
  type: field(PublicKeyType, 'The kind of credential.'),
  clientExtensionResults: field(Type.Record(Type.String(), Type.Unknown()), 'Not used.'),
}

const Creation = made(
  {
    ...credentialFields,
    response: field(
      made(
        {
          clientDataJSON: field(Encoded, 'What the browser signed for: the challenge and its own origin.'),
          attestationObject: field(Encoded, 'The public key, with what the device says about itself.'),
          transports: Type.Optional(
            field(Type.Array(Transport, { maxItems: TRANSPORTS_MAX }), 'How the browser reaches the device.'),
          ),
        },
        'PasskeyAttestation',
        'What the device answered.',
      ),
      'What the device answered.',
    ),
  },
  'PasskeyCreation',
  'A new passkey, as the browser made it: `RegistrationResponseJSON` of WebAuthn.',
)
export type PasskeyCreation = Static<typeof Creation>

export const NewPasskeySchema = object(
  {
    name: field(PasskeyName, 'A name for it, such as the name of the device.'),
    credential: Creation,
  },
  'PasskeyCreate',
  'A passkey to register.',
)

export const PasskeyRename = object(
  { name: field(PasskeyName, 'The new name.') },
  'PasskeyRename',
  'A new name for a passkey.',
)

const Answer = made(
  {
    ...credentialFields,
    response: field(
      made(
        {
          clientDataJSON: field(Encoded, 'What the browser signed for: the challenge and its own origin.'),
          authenticatorData: field(Encoded, 'What the device says: the domain, who was verified, and its counter.'),
          signature: field(Encoded, 'The signature of both.'),
          userHandle: Type.Optional(field(Encoded, 'The id of the person, in bytes. Needed for signing in.')),
        },
        'PasskeyAssertion',
        'What the device answered.',
      ),
      'What the device answered.',
    ),
  },
  'PasskeyAnswer',
  'The use of a passkey, as the browser made it: `AuthenticationResponseJSON` of WebAuthn.',
)
export type PasskeyAnswer = Static<typeof Answer>

export const PasskeyUse = object({ credential: Answer }, 'PasskeyUse', 'A proof by passkey.')

export function toPasskey(row: PasskeyRow): Static<typeof Passkey> {
  return {
    id: formatId('psk', row.id),
    name: row.name,
    domain: row.rp_id,
    isSynced: row.is_synced,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }
}

export function toDescriptor({ credential_id, transports }: PasskeyRow): Static<typeof Descriptor> {
  return { id: credential_id.toString('base64url'), type: 'public-key', transports }
}
