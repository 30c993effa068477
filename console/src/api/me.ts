// Who is signed in.
import type { ConsoleCompany, ConsoleMe } from '@cardstock/sdk/console'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { dropDrafts } from '~/lib/drafts.ts'
import { forgetPlaces } from '~/lib/list-place.ts'
import { enterZone } from '~/lib/zone.ts'
import { api } from './client.ts'
import { isSignedOut } from './errors.ts'
import { followOtherTabs, notifyOtherTabs } from './other-tabs.ts'
import { answer } from './session-dialogs.ts'

export type Me = ConsoleMe
export type MeCompany = ConsoleCompany

const KEY = ['me'] as const

const signedIn = queryOptions<Me | null>({
  queryKey: KEY,
  // The query itself tries again, and says so. The client would try for seconds without a word.
  queryFn: () => api.session.me({ maxRetries: 0 }).then(enter, refuseUnlessSignedOut),
  meta: { isSignIn: true },
  staleTime: Infinity,
})

/** A tab that was closed and restored still has its drafts, also those of another person, which are removed here. */
function enter(me: Me): Me {
  dropDrafts({ exceptOf: me.id })
  enterZone(me.timeZone)
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

/** Returns who is signed in, null for nobody, or undefined if the server does not answer. The page that is shown then reads it again. */
export function readSignedIn(client: QueryClient): Promise<Me | null | undefined> {
  return client.fetchQuery({ ...signedIn, retry: false }).catch(() => undefined)
}

/** Returns who is signed in, as far as it is known. */
export function findMe(client: QueryClient): Me | undefined {
  return client.getQueryData<Me | null>(KEY) ?? undefined
}

export function setMe(client: QueryClient, me: Me | null): void {
  if (me !== null) enterZone(me.timeZone)
  client.setQueryData(KEY, me)
}

/** Changes who is signed in, in every tab. The next person must see nothing of what the previous one read and typed. */
export function changePerson(client: QueryClient, me: Me | null): void {
  forgetAllBut(client, me)
  notifyOtherTabs(me?.id ?? null)
}

/** Forgets what was read and typed, but for the drafts of this person: they may be signing in again after their session has ended. */
function forgetAllBut(client: QueryClient, me: Me | null): void {
  setMe(client, me)
  // Queries that run while somebody signs out may be refused, which opens the dialog. The next person must not see it.
  answer(false)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] })
  client.getMutationCache().clear()
  forgetPlaces()
  dropDrafts(me === null ? {} : { exceptOf: me.id })
}

/** All tabs share the session. When another tab ends or replaces it, this one must no longer show the previous person. */
export function watchOtherTabs(client: QueryClient): void {
  followOtherTabs((personId) => {
    const shown = client.getQueryData<Me | null>(KEY)
    if (shown?.id === personId) return
    if (personId === null) forgetAllBut(client, null)
    else if (shown === null || shown === undefined) void refreshMe(client)
    else leavePage(client)
  })
}

/** Called when another person has signed in over the page of the previous one. */
export function replacePerson(client: QueryClient, me: Me): void {
  notifyOtherTabs(me.id)
  leavePage(client)
}

/** Loads the page again, so that nothing on it is shown to the next person or sent in their name. */
function leavePage(client: QueryClient): void {
  forgetAllBut(client, null)
  window.location.reload()
}

export function refreshMe(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: KEY })
}
