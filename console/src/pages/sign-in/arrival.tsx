// /sign-in: signs in, or uses the one-time link whose token is the fragment of the address. Fragments are never sent to a
// server, and this page removes it from the address bar at once.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '~/api/client.ts'
import { codeOf } from '~/api/errors.ts'
import { changePerson, type Me, useSignedIn } from '~/api/me.ts'
import { paths } from '~/paths.ts'
import { useGo } from '~/ui/go.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Door } from '~/features/sign-in/door.tsx'
import { LinkForm } from './link-form.tsx'
import SignIn from '~/features/sign-in/sign-in.tsx'
import { WayBack } from '~/features/sign-in/way-back.tsx'
import { SignInForm } from '~/features/sign-in/sign-in-form.tsx'

export default function Arrival() {
  const [token] = useState(() => window.location.hash.slice(1))
  useEffect(() => {
    if (token !== '') window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [token])
  return token === '' ? <WithoutLink /> : <WithLink token={token} />
}

function WithoutLink() {
  const query = useSignedIn()
  const { data: me } = query
  const go = useGo()
  useEffect(() => {
    if (me !== undefined && me !== null) go(paths.overview(), { replace: true })
  }, [me, go])
  return (
    <Loaded query={query} skeleton={null}>
      {(signedIn) => (signedIn === null ? <SignIn /> : null)}
    </Loaded>
  )
}

/** Only these answers are about the link. After any other, the same link may work later. */
const USELESS: ReadonlySet<string | undefined> = new Set(['link_not_valid', 'validation_failed'])

function refuseUnlessUseless(error: unknown): null {
  if (USELESS.has(codeOf(error))) return null
  throw error
}

function WithLink({ token }: { token: string }) {
  const queries = useQueryClient()
  const go = useGo()
  const enter = (me: Me) => {
    changePerson(queries, me)
    go(paths.overview(), { replace: true })
  }
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => api.session.readLink({ token }).catch(refuseUnlessUseless),
    meta: { isSignIn: true },
    staleTime: Infinity,
  })
  return (
    <Loaded query={link} skeleton={null}>
      {(found) =>
        found === null ? (
          <Door title="This link does not work">
            <Notice tone="amber">
              <p>It has already been used, has expired or is incomplete. Ask for a new one, or sign in.</p>
            </Notice>
            <br />
            <SignInForm onDone={enter} />
            <WayBack />
          </Door>
        ) : (
          <LinkForm link={found} token={token} onDone={enter} />
        )
      }
    </Loaded>
  )
}
