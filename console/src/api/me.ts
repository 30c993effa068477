// Who is signed in.
import type { ConsoleCompany, ConsoleMe } from '@cardstock/sdk/console'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { dropDrafts } from '~/lib/drafts.ts'
import { forgetPlaces } from '~/lib/list-place.ts'
import { api } from './client.ts'
import { isSignedOut } from './errors.ts'
import { followOtherTabs, notifyOtherTabs } from './other-tabs.ts'
import { answer } from './session-dialogs.ts'

export type Me = ConsoleMe
export type MeCompany = ConsoleCompany

const KEY = ['me'] as const

const signedIn = queryOptions<Me | null>({
  queryKey: KEY,
  queryFn: () => api.session.me().then(enter, refuseUnlessSignedOut),
  meta: { isSignIn: true },
  staleTime: Infinity,
})

/** A tab that was closed and opened again still has what was typed there, also by somebody else. */
function enter(me: Me): Me {
  dropDrafts({ exceptOf: me.id })
  return me
}

function refuseUnlessSignedOut(error: unknown): null {
  if (isSignedOut(error)) return null
  throw error
}

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

/** For another person, or nobody, in every tab: forgets what was read and typed, so that they see none of it. */
export function changePerson(client: QueryClient, me: Me | null): void {
  forgetAllBut(client, me)
  notifyOtherTabs(me?.id ?? null)
}

/** Whoever signs in again finds what they typed before their session ended. Signing out removes everything. */
function forgetAllBut(client: QueryClient, me: Me | null): void {
  setMe(client, me)
  // While somebody signs out, what the page is reading may already be refused. The next person must not be asked about that.
  answer(false)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] })
  client.getMutationCache().clear()
  forgetPlaces()
  dropDrafts(me === null ? {} : { exceptOf: me.id })
}

/** All tabs share the session: when another one ends or replaces it, this one must not go on showing the person who left. */
export function watchOtherTabs(client: QueryClient): void {
  followOtherTabs((personId) => {
    const shown = client.getQueryData<Me | null>(KEY)
    if (shown?.id === personId) return
    if (personId === null) forgetAllBut(client, null)
    else if (shown === null || shown === undefined) void refreshMe(client)
    else leavePage(client)
  })
}

/** Somebody else has signed in over the page of the first person. */
export function replacePerson(client: QueryClient, me: Me): void {
  notifyOtherTabs(me.id)
  leavePage(client)
}

/** Nothing of the page may be shown to the next person, or sent in their name. */
function leavePage(client: QueryClient): void {
  forgetAllBut(client, null)
  window.location.reload()
}

export function refreshMe(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: KEY })
}
