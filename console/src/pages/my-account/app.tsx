// Your authenticator app: adding, replacing and removing it.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'
import { Confirm } from '~/ui/confirm.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { FormColumn, Panel } from '~/ui/page.tsx'
import { Badge } from '~/ui/status.tsx'
import { toast } from '~/ui/toast.ts'
import { useAccountAction } from './account-action.ts'
import { AppSetupDialog } from './app-setup.tsx'
import styles from '~/ui/form.module.css'

export function AuthenticatorApp() {
  const [open, setOpen] = useState<'set up' | 'remove'>()
  const query = useData('second-factors', [], (_client, options) => api.account.secondFactors(options))
  const close = () => setOpen(undefined)
  return (
    <Panel title="Authenticator app">
      <FormColumn>
        <Loaded query={query}>
          {({ totp }) => (
            <div className={styles.fields}>
              <p>
                {totp ? (
                  <Badge tone="green" shape="check">
                    Set up
                  </Badge>
                ) : (
                  <Badge tone="grey" shape="ring">
                    Not set up
                  </Badge>
                )}{' '}
                An app on your phone shows a six-digit code that changes every 30 seconds. You enter it after your
                password.
              </p>
              <div className={styles.buttons}>
                {totp ? (
                  <Button variant="default" onClick={() => setOpen('remove')}>
                    Remove app
                  </Button>
                ) : null}
                <Button variant={totp ? 'default' : 'filled'} onClick={() => setOpen('set up')}>
                  {totp ? 'Replace app' : 'Add app'}
                </Button>
              </div>
            </div>
          )}
        </Loaded>
      </FormColumn>
      {open === 'set up' ? <AppSetupDialog isReplacement={query.data?.totp === true} close={close} /> : null}
      {open === 'remove' ? <RemoveApp close={close} /> : null}
    </Panel>
  )
}

function RemoveApp({ close }: { close(): void }) {
  const remove = useAccountAction(
    () => api.account.removeApp(),
    () => {
      toast('App removed.')
      close()
    },
  )
  return (
    <Confirm
      title="Remove the authenticator app?"
      action="Remove app"
      typed="remove"
      isBusy={remove.isBusy}
      error={remove.error}
      confirm={() => void remove.run()}
      close={close}
    >
      Its codes and your recovery codes stop working at once. Without another second factor, most changes in live are
      refused.
    </Confirm>
  )
}
