// Your name and the e-mail address that you sign in with.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useWorkplace } from '~/api/company.tsx'
import { TextField } from '~/ui/fields.tsx'
import { Form } from '~/ui/form.tsx'
import { Refused } from '~/ui/refusal.tsx'
import { FormColumn, Panel } from '~/ui/page.tsx'
import { toast } from '~/ui/toast.ts'
import { useAccountAction } from './account-action.ts'
import { usePasswordAgain } from './password-again.tsx'
import styles from '~/ui/form.module.css'

export function Profile() {
  const { me } = useWorkplace()
  const [name, setName] = useState(me.name)
  const [email, setEmail] = useState(me.email)
  const again = usePasswordAgain('To make sure that nobody else can take over your account.')
  const change = useAccountAction(
    () =>
      api.account.change({
        ...(name === me.name ? {} : { name }),
        ...(email === me.email ? {} : { email, ...again.proof }),
      }),
    () => toast('Profile saved.'),
  )
  const isChanged = name !== me.name || email !== me.email
  const isReady = isChanged && (email === me.email || again.isReady)
  return (
    <Panel title="Profile">
      <FormColumn>
        <Form error={change.error} isReady={isReady} submit={() => void change.run()} className={styles.fields}>
          <TextField
            param="name"
            label="Name"
            autoComplete="name"
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextField
            param="email"
            label="E-mail"
            description="You sign in with this address. We do not verify it, so check the spelling."
            type="email"
            autoComplete="email"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {email === me.email ? null : again.field}
          <Refused />
          <div className={styles.buttons}>
            <Button type="submit" disabled={!isReady} loading={change.isBusy}>
              Save profile
            </Button>
          </div>
        </Form>
      </FormColumn>
    </Panel>
  )
}
