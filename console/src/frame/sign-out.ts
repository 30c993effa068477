// Signs out. Only the server can end a session. Until it has confirmed that, a notice says that the session may still be open.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '~/api/client.ts'
import { isSignedOut } from '~/api/errors.ts'
import { changePerson } from '~/api/me.ts'
import { createStore } from '~/lib/store.ts'

export type SigningOut =
  { readonly state: 'no' } | { readonly state: 'busy' } | { readonly state: 'failed'; readonly error: unknown }

export const signingOut = createStore<SigningOut>({ state: 'no' })

export function useSignOut(): () => void {
  const queries = useQueryClient()
  return () => void signOut(queries)
}

export function stayIn(): void {
  signingOut.set({ state: 'no' })
}

async function signOut(queries: QueryClient): Promise<void> {
  if (signingOut.get().state === 'busy') return
  signingOut.set({ state: 'busy' })
  try {
    await api.session.signOut()
  } catch (error) {
    // The session had ended already.
    if (!isSignedOut(error)) {
      signingOut.set({ state: 'failed', error })
      return
    }
  }
  signingOut.set({ state: 'no' })
  changePerson(queries, null)
}
