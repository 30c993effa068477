// Who is signed in.
import type { ConsoleCompany, ConsoleMe } from '@cardstock/sdk/console'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { isSignedOut } from './errors.ts'
import { answer } from './session-gate.ts'

export type Me = ConsoleMe
export type MeCompany = ConsoleCompany

const KEY = ['me'] as const

const signedIn = queryOptions<Me | null>({
  queryKey: KEY,
  queryFn: () =>
    api.session.me().catch((error: unknown) => {
      if (isSignedOut(error)) return null
      throw error
    }),
  meta: { isSignIn: true },
  staleTime: Infinity,
})

/** `data` is null when nobody is signed in. */
export function useSignedIn() {
  return useQuery(signedIn)
}

/** Returns who is signed in, null for nobody, or undefined if the server does not answer. The page that is then shown asks again. */
export function readSignedIn(client: QueryClient): Promise<Me | null | undefined> {
  return client.fetchQuery({ ...signedIn, retry: false }).catch(() => undefined)
}

export function setMe(client: QueryClient, me: Me | null): void {
  client.setQueryData(KEY, me)
}

/** For another person, or nobody: forgets everything that was read, so that they see none of it. */
export function changePerson(client: QueryClient, me: Me | null): void {
  setMe(client, me)
  // While somebody signs out, what the page is reading may already be refused. The next person must not be asked about that.
  answer(false)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] })
}

export function refreshMe(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: KEY })
}
