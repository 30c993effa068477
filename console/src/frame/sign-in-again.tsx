// Signing in over the page when the session has ended. The page below keeps everything that was typed.
import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useWorkplace } from '~/api/company.tsx'
import { replacePerson, setMe } from '~/api/me.ts'
import { answer } from '~/api/session-dialogs.ts'
import { SignInForm } from '~/features/sign-in/sign-in-form.tsx'
import styles from './overlays.module.css'

export default function SignInAgain() {
  const queries = useQueryClient()
  const { me } = useWorkplace()
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      closeOnClickOutside={false}
      title="Your session has ended"
      closeButtonProps={{ 'aria-label': 'Close this dialog' }}
    >
      <div className={styles.form}>
        <p>Sign in to continue. Nothing you typed on this page is lost.</p>
        <SignInForm
          email={me.email}
          onDone={(signedIn) => {
            // Another person must not see or send what the first one left on the page.
            if (signedIn.id !== me.id) {
              replacePerson(queries, signedIn)
              return
            }
            setMe(queries, signedIn)
            answer(true)
          }}
        />
      </div>
    </Modal>
  )
}
