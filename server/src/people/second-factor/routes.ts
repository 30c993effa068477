// The second factor: an authenticator app with recovery codes, and proving it again, also with a passkey, before what can affect live money.
import { Type } from 'typebox'
import { created, noContent, ok, personRoute, type Route } from '../../http/route.ts'
import { field, object, Timestamp } from '../../lib/wire.ts'
import { must } from '../../lib/invariant.ts'
import type { PeopleDeps } from '../deps.ts'
import { requireOwnPassword } from '../own-password.ts'
import { beginProof, proveWithPasskey } from '../passkeys/prove.ts'
import { PasskeyRequestOptions, PasskeyUse } from '../passkeys/schema.ts'
import { Code, Password } from '../schema.ts'
import { findSecondFactors } from './queries.ts'
import { beginTotp, confirmTotp, removeTotp, renewRecoveryCodes, stepUp } from './second-factor.ts'

const tag = 'second factor'

const SecondFactors = object(
  {
    totp: field(Type.Boolean(), 'Whether an authenticator app is set up.'),
    passkeys: field(Type.Integer(), 'How many passkeys are registered. Each counts as a second factor.'),
    recoveryCodesLeft: field(Type.Integer(), 'How many recovery codes were not used yet.'),
  },
  'SecondFactors',
  'What the person has set up as a second factor.',
)
const CodeProof = object(
  { code: field(Code, 'Six digits of the authenticator app, or a recovery code.') },
  'SecondFactorProof',
  'A proof of the second factor.',
)
const Verified = object(
  { verifiedUntil: field(Timestamp, 'Until when the second factor counts as proved in this session.') },
  'SecondFactorVerified',
  'That the second factor was proved.',
)
const TotpStart = object(
  {
    password: Type.Optional(
      field(Password, 'The password again. Needed by somebody who has a password and no second factor yet.'),
    ),
  },
  'TotpStart',
  'Who sets up an authenticator app.',
)
const TotpSetup = object(
  {
    secret: field(Type.String(), 'The secret, in Base32, to type into an app. It is shown only here.'),
    uri: field(Type.String(), 'The same as an `otpauth:` address, to show as a QR code.'),
  },
  'TotpSetup',
  'An authenticator app to set up.',
)
const TotpCode = object(
  { code: field(Code, 'Six digits of the authenticator app.') },
  'TotpConfirmation',
  'The first code of an authenticator app.',
)
const RecoveryCodes = object(
  { recoveryCodes: field(Type.Array(Type.String()), 'Ten codes. Each works once instead of the app. Keep them safe.') },
  'RecoveryCodes',
  'New recovery codes. They are shown only here.',
)

export function secondFactorRoutes(deps: PeopleDeps): Route[] {
  return [...proofRoutes(deps), ...appRoutes(deps)]
}

function proofRoutes(deps: PeopleDeps): Route[] {
  return [
    personRoute(
      {},
      {
        method: 'GET',
        path: '/console/v1/second-factor',
        tag,
        id: 'getSecondFactors',
        summary: 'Read the second factors',
        description: 'Returns what the person has set up as a second factor.',
        responses: { 200: SecondFactors },
        handle: async ({ session }) => {
          const row = must(await findSecondFactors(deps.db, session.personId))
          return ok({ totp: row.has_totp, passkeys: row.passkeys, recoveryCodesLeft: row.recovery_codes_left })
        },
      },
    ),
    personRoute(
      { isUncounted: true },
      {
        method: 'POST',
        path: '/console/v1/second-factor/verify',
        tag,
        id: 'verifySecondFactor',
        summary: 'Prove the second factor again',
        description:
          'Proves the second factor for ten minutes. Changes in live, changes of people and changes by operators need it. Wrong codes are limited per session.',
        refusals: ['invalid_second_factor'],
        body: CodeProof,
        responses: { 200: Verified },
        handle: async (call) => {
          const until = await stepUp(deps, call, call.session, call.body.code)
          return ok({ verifiedUntil: until.toISOString() })
        },
      },
    ),
    personRoute(
      { isUncounted: true },
      {
        method: 'POST',
        path: '/console/v1/second-factor/passkey/start',
        tag,
        id: 'beginPasskeyProof',
        summary: 'Begin to prove the second factor with a passkey',
        description: 'Returns what the browser needs to use one of the person’s passkeys.',
        refusals: ['passkeys_unavailable'],
        responses: { 200: PasskeyRequestOptions },
        handle: async (call) => ok(await beginProof(deps, call, call.session)),
      },
    ),
    personRoute(
      { isUncounted: true },
      {
        method: 'POST',
        path: '/console/v1/second-factor/passkey',
        tag,
        id: 'verifyPasskey',
        summary: 'Prove the second factor with a passkey',
        description:
          'Proves the second factor for ten minutes with a passkey of the person. The challenge must come from `POST /console/v1/second-factor/passkey/start` in the same session. Refused passkeys are limited per session.',
        refusals: ['passkey_refused', 'passkeys_unavailable'],
        body: PasskeyUse,
        responses: { 200: Verified },
        handle: async (call) => {
          const until = await proveWithPasskey(deps, call, call.session, call.body.credential)
          return ok({ verifiedUntil: until.toISOString() })
        },
      },
    ),
  ]
}

function appRoutes(deps: PeopleDeps): Route[] {
  return [
    personRoute(
      { stepUp: true },
      {
        method: 'POST',
        path: '/console/v1/second-factor/totp',
        tag,
        id: 'beginTotp',
        summary: 'Set up an authenticator app',
        description:
          'Makes a secret for an authenticator app. It counts once its first code is confirmed; an app that is set up already counts until then. Somebody who has a second factor must have proved it in the last ten minutes; somebody who has none sends their password again. Wrong passwords are limited per session.',
        refusals: ['password_required', 'invalid_credentials'],
        body: TotpStart,
        responses: { 201: TotpSetup },
        handle: async (call) => {
          await requireOwnPassword(deps, call.session, call.body.password)
          return created('/console/v1/second-factor/totp', await beginTotp(deps, call))
        },
      },
    ),
    personRoute(
      { stepUp: true },
      {
        method: 'POST',
        path: '/console/v1/second-factor/totp/confirm',
        tag,
        id: 'confirmTotp',
        summary: 'Confirm the authenticator app',
        description:
          'Checks the first code of the app, which then counts as a second factor. Returns ten recovery codes.',
        refusals: ['invalid_second_factor'],
        body: TotpCode,
        responses: { 200: RecoveryCodes },
        handle: async (call) => ok({ recoveryCodes: await confirmTotp(deps, call, call.body.code) }),
      },
    ),
    personRoute(
      { stepUp: true },
      {
        method: 'DELETE',
        path: '/console/v1/second-factor/totp',
        tag,
        id: 'removeTotp',
        summary: 'Remove the authenticator app',
        description: 'Removes the authenticator app and the recovery codes. Passkeys stay.',
        responses: { 204: null },
        handle: async (call) => {
          await removeTotp(deps, call)
          return noContent()
        },
      },
    ),
    personRoute(
      { stepUp: true },
      {
        method: 'POST',
        path: '/console/v1/second-factor/recovery-codes',
        tag,
        id: 'renewRecoveryCodes',
        summary: 'Make new recovery codes',
        description: 'Makes ten new recovery codes. The old ones stop working.',
        refusals: ['second_factor_missing'],
        responses: { 200: RecoveryCodes },
        handle: async (call) => ok({ recoveryCodes: await renewRecoveryCodes(deps, call) }),
      },
    ),
  ]
}
