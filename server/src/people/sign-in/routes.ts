// Signing in and out, and one-time links. Everything that happens before there is a session is here.
import { Type } from 'typebox'
import { noContent, ok, personRoute, type Answer, type Route, visitorRoute } from '../../http/route.ts'
import { field, nullable, object } from '../../lib/wire.ts'
import type { PeopleDeps } from '../deps.ts'
import { LinkSchema, LinkToken, LinkUseSchema, toLink } from '../links/schema.ts'
import { readLink, useLink } from '../links/use.ts'
import { beginSignIn, signInWithPasskey } from '../passkeys/prove.ts'
import { PasskeyRequestOptions, PasskeyUse } from '../passkeys/schema.ts'
import { Credentials, Me, toMe } from '../schema.ts'
import { forgetCookie, signOut, type Started } from '../sessions/start.ts'
import { signIn } from './sign-in.ts'

const tag = 'sign-in'

const LinkUsed = object(
  {
    signedIn: field(Type.Boolean(), 'Whether the person is signed in now. Otherwise sign in with the second factor.'),
    me: nullable(field(Me, 'The person. Null when nobody is signed in.')),
  },
  'LinkUsed',
  'What came of a one-time link.',
)

export function signInRoutes(deps: PeopleDeps): Route[] {
  const { clock, hasLiveIssuer } = deps
  const me = ({ session }: Started) => toMe(session, { now: clock.now(), hasLiveIssuer })
  const signedIn = (started: Started): Answer => ({ ...ok(me(started)), headers: started.headers })
  return [
    visitorRoute({
      method: 'POST',
      path: '/console/v1/sign-in',
      tag,
      id: 'signIn',
      summary: 'Sign in',
      description:
        'Signs a person in with e-mail address and password, and sets the cookie of a new session. With an authenticator app, send `code` too; somebody whose only second factor is a passkey signs in with that, or with a recovery code. An unknown account is answered like a wrong password. Tries are limited per address, and per account and address; a browser in which the account has signed in before is counted by itself.',
      refusals: ['invalid_credentials', 'second_factor_required', 'invalid_second_factor', 'rate_limited'],
      body: Credentials,
      responses: { 200: Me },
      handle: async (call) => signedIn(await signIn(deps, call, call.body)),
    }),
    ...passkeySignInRoutes(deps, signedIn),
    personRoute(
      { isUncounted: true },
      {
        method: 'POST',
        path: '/console/v1/sign-out',
        tag,
        id: 'signOut',
        summary: 'Sign out',
        description: 'Ends the session of this request and takes its cookie away.',
        responses: { 204: null },
        handle: async (call) => {
          const { session, actor } = call
          await signOut(deps, actor, session)
          return { ...noContent(), headers: forgetCookie(call) }
        },
      },
    ),
    visitorRoute({
      method: 'POST',
      path: '/console/v1/links/read',
      tag,
      id: 'readLink',
      summary: 'Read a one-time link',
      description: 'Returns what a one-time link is for, and for whom. It can still be used afterwards.',
      refusals: ['link_not_valid', 'rate_limited'],
      body: LinkToken,
      responses: { 200: LinkSchema },
      handle: async (call) => ok(toLink(await readLink(deps, call, call.body.token))),
    }),
    visitorRoute({
      method: 'POST',
      path: '/console/v1/links/use',
      tag,
      id: 'useLink',
      summary: 'Use a one-time link',
      description:
        'Accepts an invitation with a new account, chooses a new password, or signs in for the first time, and sets the cookie of a new session. The link works once.',
      refusals: ['link_not_valid', 'account_exists', 'password_refused', 'rate_limited'],
      body: LinkUseSchema,
      responses: { 200: LinkUsed },
      handle: async (call) => {
        const started = await useLink(deps, call, call.body)
        if (started === undefined) return ok({ signedIn: false, me: null })
        return { ...ok({ signedIn: true, me: me(started) }), headers: started.headers }
      },
    }),
  ]
}

function passkeySignInRoutes(deps: PeopleDeps, signedIn: (started: Started) => Answer): Route[] {
  return [
    visitorRoute({
      method: 'POST',
      path: '/console/v1/sign-in/passkey/start',
      tag,
      id: 'beginPasskeySignIn',
      summary: 'Begin to sign in with a passkey',
      description:
        'Returns what the browser needs to use a passkey. It is the same for everybody apart from the challenge, which works once and for five minutes.',
      refusals: ['passkeys_unavailable'],
      responses: { 200: PasskeyRequestOptions },
      handle: async (call) => ok(beginSignIn(deps, call)),
    }),
    visitorRoute({
      method: 'POST',
      path: '/console/v1/sign-in/passkey',
      tag,
      id: 'signInWithPasskey',
      summary: 'Sign in with a passkey',
      description:
        'Signs a person in with a passkey, and sets the cookie of a new session. The device verifies the person, so the passkey counts as both factors. An unknown passkey is answered like a wrong signature. Refused passkeys are limited per address, and per passkey and address.',
      refusals: ['passkey_refused', 'passkeys_unavailable', 'rate_limited'],
      body: PasskeyUse,
      responses: { 200: Me },
      handle: async (call) => signedIn(await signInWithPasskey(deps, call, call.body.credential)),
    }),
  ]
}
