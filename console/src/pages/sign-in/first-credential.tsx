// The first sign-in by a link that works once: the person chooses how to sign in next time, while the session of the link is there. Without a
// password or a passkey, the account is out of reach as soon as the session ends.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import type { Me } from '~/api/me.ts'
import { useSubmit } from '~/features/sign-in/use-submit.ts'
import { Door } from '~/features/sign-in/door.tsx'
import { NewPassword } from '~/features/sign-in/password-fields.tsx'
import { addPasskey } from '~/features/passkeys/device.ts'
import { PasskeyButton } from '~/features/passkeys/passkey-button.tsx'
import { describeBrowser } from '~/lib/browser-name.ts'
import { Form } from '~/ui/form.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Refused } from '~/ui/refusal.tsx'
import styles from '~/features/sign-in/sign-in.module.css'

export function FirstCredential({ me, onDone }: { me: Me; onDone(me: Me): void }) {
  const [password, setPassword] = useState('')
  const [isLater, setLater] = useState(false)
  const enter = async () => onDone(await api.session.me())
  const { submit, isBusy, error } = useSubmit(async () => {
    await api.account.changePassword({ newPassword: password })
    await enter()
  })
  return (
    <Door
      title="How will you sign in next time?"
      intro={`You are signed in as ${me.email}. The link you used does not work again.`}
    >
      <Form error={error} submit={submit} className={styles.form}>
        <NewPassword param="newPassword" email={me.email} value={password} onChange={setPassword} />
        <Refused />
        <Button type="submit" loading={isBusy} fullWidth>
          Set password
        </Button>
        <PasskeyButton
          label="Add a passkey instead"
          ask={() => addPasskey(describeBrowser(navigator.userAgent), {})}
          onDone={() => void enter()}
        />
        {isLater ? (
          <Notice tone="amber" title="You can lose this account">
            <p>When this session ends, you will need a new link to sign in.</p>
            <Button variant="default" size="xs" onClick={() => onDone(me)}>
              Continue without either
            </Button>
          </Notice>
        ) : (
          <Button variant="subtle" color="gray" fullWidth onClick={() => setLater(true)}>
            Later
          </Button>
        )}
      </Form>
    </Door>
  )
}
