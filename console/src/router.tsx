// The router, made from the table of pages. The address bar holds plain text: no value is encoded as JSON.
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Gate } from './frame/gate.tsx'
import { NoSuchPage } from './frame/no-such-page.tsx'
import { PageCrash } from './frame/page-crash.tsx'
import { PageSlot } from './frame/page-slot.tsx'
import { PAGES } from './pages.ts'
import { PATTERNS } from './paths.ts'

/** Whoever is not signed in does not load it. */
const Frame = lazy(() => import('./frame/frame.tsx'))
const Arrival = lazy(() => import('./pages/sign-in/arrival.tsx'))

const root = createRootRoute({
  notFoundComponent: () => (
    <Gate>
      {(me) => (
        <Frame me={me}>
          <NoSuchPage />
        </Frame>
      )}
    </Gate>
  ),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: PATTERNS.signIn,
  component: () => (
    <Suspense>
      <Arrival />
    </Suspense>
  ),
})

/** The frame stays when the page changes, so that its state and its place are not lost. */
const framed = createRoute({
  getParentRoute: () => root,
  id: 'framed',
  component: () => <Gate>{(me) => <Frame me={me} />}</Gate>,
})

const pages = PAGES.map((page) => {
  const Body = lazy(page.load)
  return createRoute({
    getParentRoute: () => framed,
    path: page.path,
    component: () => (
      <PageSlot page={page}>
        <Body />
      </PageSlot>
    ),
    // Runs when a link to the page is pointed at, and again when it is opened; the browser loads the code once.
    loader: () => page.load().then(() => null),
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

export const router = createRouter({
  routeTree: root.addChildren([signIn, framed.addChildren(pages)]),
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultErrorComponent: PageCrash,
  defaultPendingComponent: () => null,
})
