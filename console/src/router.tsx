// The router, made from the table of pages. The address bar holds plain text: no value is encoded as JSON.
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { Suspense } from 'react'
import { followAddress } from './api/choice.ts'
import { readSignedIn } from './api/me.ts'
import { joinPlace, splitPlace } from './api/place.ts'
import { queryClient } from './api/query-client.ts'
import { findShownPlace } from './api/shown-place.ts'
import { Offline } from './frame/offline.tsx'
import { SignedInOnly, SignIn } from './frame/signed-in-only.tsx'
import { NoSuchPage } from './frame/no-such-page.tsx'
import { PageCrash } from './frame/page-crash.tsx'
import { PageSlot } from './frame/page-slot.tsx'
import { onDemand } from './lib/on-demand.tsx'
import { PAGES } from './pages.ts'
import { PATTERNS } from './paths.ts'

/** Loaded only for people who are signed in. */
const Frame = onDemand(() => import('./frame/frame.tsx'))
const Arrival = onDemand(() => import('./pages/sign-in/arrival.tsx'))

const root = createRootRoute({
  notFoundComponent: () => (
    <SignedInOnly>
      {(me) => (
        <Frame me={me}>
          <NoSuchPage />
        </Frame>
      )}
    </SignedInOnly>
  ),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: PATTERNS.signIn,
  component: () => (
    <>
      <Offline />
      <Suspense>
        <Arrival />
      </Suspense>
    </>
  ),
  loader: () => Arrival.preload().then(() => null),
})

/** The frame stays when the page changes, so that its state and its place are not lost. */
const framed = createRoute({
  getParentRoute: () => root,
  id: 'framed',
  component: () => <SignedInOnly>{(me) => <Frame me={me} />}</SignedInOnly>,
  // Runs at the same time as the loader of the page, so that its code and the person are loaded together.
  loader: async () => {
    const me = await readSignedIn(queryClient)
    if (me !== undefined) await (me === null ? SignIn : Frame).preload()
    return null
  },
})

const pages = PAGES.map((page) => {
  const Body = onDemand(page.load)
  return createRoute({
    getParentRoute: () => framed,
    path: page.path,
    component: () => (
      <PageSlot page={page}>
        <Body />
      </PageSlot>
    ),
    // Runs when a link to the page is pointed at, and again when it is opened; the browser loads the code once.
    loader: () => Body.preload().then(() => null),
    errorComponent: PageCrash,
  })
})

function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

function stringifySearch(search: Record<string, unknown>): string {
  const text = new URLSearchParams(search as Record<string, string>).toString()
  return text === '' ? '' : `?${text}`
}

/** Inside the router a page has the same path in every company. The place is only in the address. */
const rewrite = {
  input: ({ url }: { url: URL }) => {
    url.pathname = splitPlace(url.pathname).path
    return url
  },
  output: ({ url }: { url: URL }) => {
    url.pathname = joinPlace(findShownPlace(), url.pathname)
    return url
  },
}

export const router = createRouter({
  routeTree: root.addChildren([signIn, framed.addChildren(pages)]),
  parseSearch,
  stringifySearch,
  rewrite,
  scrollRestoration: true,
  defaultErrorComponent: PageCrash,
  defaultPendingComponent: () => null,
  // The pending component shows nothing, so it need not stay for a while.
  defaultPendingMinMs: 0,
})

// Before the router itself reads the new address, so that the page is drawn with the right company.
followAddress(router.history.location.pathname)
router.history.subscribe(({ location }) => followAddress(location.pathname))
