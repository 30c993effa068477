// Your password. A new one ends every other session.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useWorkplace } from '~/api/company.tsx'
import { CurrentPassword, NewPassword } from '~/features/sign-in/password-fields.tsx'
import { Form } from '~/ui/form.tsx'
import { Refused } from '~/ui/refusal.tsx'
import { FormColumn, Panel } from '~/ui/page.tsx'
import { toast } from '~/ui/toast.ts'
import { useAccountAction } from './account-action.ts'
import styles from '~/ui/form.module.css'

export function Password() {
  const { me } = useWorkplace()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const change = useAccountAction(
    () => api.account.changePassword({ newPassword, ...(me.hasPassword ? { currentPassword } : {}) }),
    () => {
      setCurrent('')
      setNew('')
      toast('Password changed.')
    },
  )
  return (
    <Panel title="Password">
      <FormColumn>
        <Form error={change.error} submit={() => void change.run()} className={styles.fields}>
          <p>
            {me.hasPassword
              ? 'A new password ends your other sessions.'
              : 'You have no password. With one, you can also sign in where you do not have your passkey.'}
          </p>
          {me.hasPassword ? (
            <CurrentPassword param="currentPassword" email={me.email} value={currentPassword} onChange={setCurrent} />
          ) : null}
          <NewPassword param="newPassword" email={me.email} value={newPassword} onChange={setNew} />
          <Refused />
          <div className={styles.buttons}>
            <Button type="submit" loading={change.isBusy}>
              {me.hasPassword ? 'Change password' : 'Set password'}
            </Button>
          </div>
        </Form>
      </FormColumn>
    </Panel>
  )
}
