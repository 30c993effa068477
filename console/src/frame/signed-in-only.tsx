// Lets only people who are signed in reach the pages. The address does not change, so that after signing in the person sees the page that they wanted.
import { type ReactNode, Suspense } from 'react'
import { type Me, useSignedIn } from '~/api/me.ts'
import { onDemand } from '~/lib/on-demand.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Offline } from './offline.tsx'

export const SignIn = onDemand(() => import('~/features/sign-in/sign-in.tsx'))

export function SignedInOnly({ children }: { children: (me: Me) => ReactNode }) {
  const query = useSignedIn()
  return (
    <>
      {query.data === undefined ? <Offline /> : null}
      <Loaded query={query} skeleton={null}>
        {(me) => (
          // Without the key, React would keep the page of somebody who has signed out, hidden, until the sign-in page is loaded.
          // That page would go on reading, be refused, and ask the next person to sign in again.
          <Suspense key={me === null ? 'signed out' : me.id}>{me === null ? <SignIn /> : children(me)}</Suspense>
        )}
      </Loaded>
    </>
  )
}
