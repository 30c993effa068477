// Your name and the e-mail address that you sign in with.
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api } from '~/api/client.ts'
import { useWorkplace } from '~/api/company.tsx'
import { Problem } from '~/ui/notice.tsx'
import { FormColumn, Panel } from '~/ui/page.tsx'
import { toast } from '~/ui/toast.ts'
import { useAccountAction } from './account-action.ts'
import { usePasswordAgain } from './password-again.tsx'
import styles from '~/ui/form.module.css'

export function Profile() {
  const { me } = useWorkplace()
  const [name, setName] = useState(me.name)
  const [email, setEmail] = useState(me.email)
  const again = usePasswordAgain('So that nobody else can take over your account.')
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) void change.run()
  }
  return (
    <Panel title="Profile">
      <FormColumn>
        <form className={styles.fields} onSubmit={submit}>
          <TextInput
            label="Name"
            autoComplete="name"
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label="E-mail"
            description="You sign in with this address. It is not verified, so check it."
            type="email"
            autoComplete="email"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {email === me.email ? null : again.field}
          <Problem error={change.error} />
          <div className={styles.buttons}>
            <Button type="submit" disabled={!isReady} loading={change.isBusy}>
              Save profile
            </Button>
          </div>
        </form>
      </FormColumn>
    </Panel>
  )
}
