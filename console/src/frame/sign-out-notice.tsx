// A notice over the page while the server is asked to end the session, and if it does not confirm the end. It is loaded with the frame, because
// the server may be out of reach when it is needed.
import { UnreachableError } from '@cardstock/sdk'
import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { asHarmless, describeError } from '~/api/errors.ts'
import { useStore } from '~/lib/store.ts'
import { signingOut, stayIn, useSignOut } from './sign-out.ts'
import styles from './frame.module.css'

const UNREACHED = 'The server did not answer.'

export function SignOutNotice() {
  const now = useStore(signingOut)
  const signOut = useSignOut()
  // The next person must not see the notice about the previous one.
  useEffect(() => stayIn, [])
  return (
    <>
      <div role="status">{now.state === 'busy' ? <p className={styles.leaving}>Signing out…</p> : null}</div>
      {now.state === 'failed' ? (
        <div role="alert" className={styles.leaving}>
          <p>
            <strong>You may still be signed in.</strong> The server has not confirmed that your session has ended.{' '}
            {explain(now.error)}
          </p>
          <Button size="xs" onClick={signOut}>
            Try again
          </Button>
          <Button size="xs" variant="default" onClick={stayIn}>
            Stay signed in
          </Button>
        </div>
      ) : null}
    </>
  )
}

function explain(error: unknown): string {
  const { message, requestId } = describeError(asHarmless(error))
  if (error instanceof UnreachableError) return UNREACHED
  return requestId === undefined ? message : `${message} (request ${requestId})`
}
