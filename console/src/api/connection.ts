// Whether the server answers. The frame shows when it does not, and the queries try again until it does.
import type { QueryClient } from '@tanstack/react-query'
import { createStore } from '~/lib/store.ts'
import { isPassing, isSignedOut } from './errors.ts'
import { ask, asked } from './session-dialogs.ts'

export const isConnectionLost = createStore(false)

/** Watches all queries. Their results show whether the connection is lost or back, and whether the session has ended. */
export function watchQueries(client: QueryClient): void {
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { action } = event
    if (action.type === 'success') isConnectionLost.set(false)
    // The first query of the console has no retries, so it fails with `error` at once. The page that is shown then reads it again.
    if ((action.type === 'failed' || action.type === 'error') && isPassing(action.error)) isConnectionLost.set(true)
    if (action.type === 'error' && isSignedOut(action.error) && event.query.meta?.['isSignIn'] !== true)
      askToSignIn(client)
  })
}

function askToSignIn(client: QueryClient): void {
  if (asked.get() !== 'nothing') return
  ask('sign-in').then(
    () => client.invalidateQueries(),
    () => {},
  )
}
