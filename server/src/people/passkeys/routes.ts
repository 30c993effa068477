// The passkeys of a person: registering, listing, renaming and removing them. Signing in with one is under sign-in, and proving
// the second factor with one under second-factor.
import { Type } from 'typebox'
import { requireId } from '../../errors.ts'
import { created, noContent, ok, personRoute, type Route } from '../../http/route.ts'
import { field, IdParams, object } from '../../lib/wire.ts'
import type { PeopleDeps } from '../deps.ts'
import { requireOwnPassword } from '../own-password.ts'
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from './manage.ts'
import { listPasskeys } from './queries.ts'
import { NewPasskeySchema, Passkey, PasskeyCreationOptions, PasskeyRename, PasskeyStart, toPasskey } from './schema.ts'

const tag = 'passkeys'
const path = '/console/v1/passkeys'

const PasskeyList = object(
  { data: field(Type.Array(Passkey), 'The passkeys, newest first. There are at most 20.') },
  'PasskeyList',
  'All passkeys of the person.',
)

export function passkeyRoutes(deps: PeopleDeps): Route[] {
  return [...registrationRoutes(deps), ...managementRoutes(deps)]
}

function registrationRoutes(deps: PeopleDeps): Route[] {
  return [
    personRoute(
      { stepUp: true },
      {
        method: 'POST',
        path: '/console/v1/passkey-registrations',
        tag,
        id: 'beginPasskey',
        summary: 'Begin to register a passkey',
        description:
          'Returns what the browser needs to make a passkey. Somebody who has a second factor must have proved it in the last ten minutes; somebody who has none sends their password again. Wrong passwords are limited per session.',
        refusals: ['password_required', 'invalid_credentials', 'passkey_limit', 'passkeys_unavailable'],
        body: PasskeyStart,
        responses: { 200: PasskeyCreationOptions },
        handle: async (call) => {
          await requireOwnPassword(deps, call.session, call.body.password)
          return ok(await beginPasskey(deps, call, call.session))
        },
      },
    ),
    personRoute(
      {},
      {
        method: 'POST',
        path,
        tag,
        id: 'addPasskey',
        summary: 'Register a passkey',
        description:
          'Registers the passkey that the browser has made. It signs the person in from then on, without a password, and counts as a second factor. The challenge must come from `POST /console/v1/passkey-registrations` in the same session.',
        refusals: ['passkey_refused', 'passkey_limit', 'passkeys_unavailable'],
        readAt: path,
        body: NewPasskeySchema,
        responses: { 201: Passkey },
        handle: async (call) => created(path, toPasskey(await addPasskey(deps, call, call, call.body))),
      },
    ),
  ]
}

function managementRoutes(deps: PeopleDeps): Route[] {
  return [
    personRoute(
      {},
      {
        method: 'GET',
        path,
        tag,
        id: 'listPasskeys',
        summary: 'List passkeys',
        description: 'Lists the passkeys of the person, newest first.',
        responses: { 200: PasskeyList },
        handle: async ({ session }) =>
          ok({ data: (await listPasskeys(deps.db, session.personId)).map((row) => toPasskey(row)) }),
      },
    ),
    personRoute(
      { stepUp: true },
      {
        method: 'PATCH',
        path: `${path}/:id`,
        tag,
        id: 'renamePasskey',
        summary: 'Rename a passkey',
        description: 'Gives a passkey another name, for the person’s own list.',
        params: IdParams,
        body: PasskeyRename,
        responses: { 200: Passkey },
        handle: async (call) =>
          ok(toPasskey(await renamePasskey(deps, call, requireId('psk', call.params.id), call.body.name))),
      },
    ),
    personRoute(
      { stepUp: true },
      {
        method: 'DELETE',
        path: `${path}/:id`,
        tag,
        id: 'removePasskey',
        summary: 'Remove a passkey',
        description:
          'Removes a passkey. Every process refuses it from the next request on; sessions that it started go on until they are ended. The last passkey of somebody without a password stays. Recovery codes go with the last second factor.',
        refusals: ['last_sign_in_method'],
        params: IdParams,
        responses: { 204: null },
        handle: async (call) => {
          await removePasskey(deps, call, requireId('psk', call.params.id))
          return noContent()
        },
      },
    ),
  ]
}
