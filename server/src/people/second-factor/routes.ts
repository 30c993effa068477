// The second factor: an authenticator app with recovery codes, and proving it again before what can affect live money.
import { Type } from 'typebox'
import { created, noContent, ok, personRoute, type Route } from '../../http/route.ts'
import { field, object, Timestamp } from '../../lib/wire.ts'
import { must } from '../../lib/invariant.ts'
import type { PeopleDeps } from '../deps.ts'
import { Code } from '../schema.ts'
import { findSecondFactors } from './queries.ts'
import { beginTotp, confirmTotp, removeTotp, renewRecoveryCodes, stepUp } from './second-factor.ts'

const tag = 'second factor'

const SecondFactors = object(
  {
    totp: field(Type.Boolean(), 'Whether an authenticator app is set up.'),
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
          return ok({ totp: row.has_totp, recoveryCodesLeft: row.recovery_codes_left })
        },
      },
    ),
    personRoute(
      {},
      {
        method: 'POST',
        path: '/console/v1/second-factor/verify',
        tag,
        id: 'verifySecondFactor',
        summary: 'Prove the second factor again',
        description:
          'Proves the second factor for ten minutes. Changes in live, changes of people and changes by operators need it. Wrong codes count like failed sign-ins.',
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
      { stepUp: true },
      {
        method: 'POST',
        path: '/console/v1/second-factor/totp',
        tag,
        id: 'beginTotp',
        summary: 'Set up an authenticator app',
        description: 'Makes a secret for an authenticator app. It counts once its first code is confirmed.',
        refusals: ['second_factor_exists'],
        responses: { 201: TotpSetup },
        handle: async ({ session }) => created('/console/v1/second-factor/totp', await beginTotp(deps, session)),
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
        handle: async (call) => ok({ recoveryCodes: await confirmTotp(deps, call, call, call.body.code) }),
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
        description: 'Removes the authenticator app and the recovery codes.',
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
