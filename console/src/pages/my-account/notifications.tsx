// What you are told by e-mail. It shows only what one of your roles gets.
import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import type { Notifications as Chosen } from '@cardstock/sdk/console'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { Loaded } from '~/ui/loaded.tsx'
import { Problem } from '~/ui/notice.tsx'
import { FormColumn, Panel } from '~/ui/page.tsx'
import { toast } from '~/ui/toast.ts'
import styles from '~/ui/form.module.css'

const KINDS = [
  { kind: 'reviews', label: 'Reviews to decide', text: 'Once for each review, grouped every five minutes.' },
  {
    kind: 'lowBalance',
    label: 'Low balance',
    text: 'When the available balance falls below the amount that the company chose.',
  },
  {
    kind: 'endpoints',
    label: 'Failing webhook endpoints',
    text: 'After a day of failures, and when an endpoint is disabled.',
  },
  { kind: 'keys', label: 'Expiring keys', text: 'Seven days and one day before a key expires.' },
] as const

export function Notifications() {
  const query = useData('notifications', [], (_client, options) => api.account.notifications(options))
  const change = useAction(
    (choice: Parameters<typeof api.account.changeNotifications>[0]) => api.account.changeNotifications(choice),
    {
      refreshes: ['notifications'],
      onDone: () => toast('Choices saved.'),
    },
  )
  return (
    <Panel title="E-mail">
      <Problem error={change.error} />
      <Loaded query={query}>
        {(chosen) => (
          <FormColumn>
            <div className={styles.fields}>
              <p>{explain(chosen)}</p>
              {KINDS.map(({ kind, label, text }) => {
                const isOn = chosen[kind]
                return isOn === null ? null : (
                  <Checkbox
                    key={kind}
                    label={label}
                    description={text}
                    checked={isOn}
                    disabled={change.isBusy}
                    onChange={(event) => void change.run({ [kind]: event.currentTarget.checked })}
                  />
                )
              })}
            </div>
          </FormColumn>
        )}
      </Loaded>
    </Panel>
  )
}

function explain(chosen: Chosen): string {
  if (!chosen.sendsMail) return 'This server does not send e-mail. Your choices apply once it does.'
  if (KINDS.every(({ kind }) => chosen[kind] === null)) return 'Your roles receive only links to sign in.'
  return 'These apply to all your companies. Invitations and links to sign in are always sent.'
}
