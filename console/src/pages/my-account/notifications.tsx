// What you are told by e-mail. It shows only what one of your roles gets.
import { Checkbox } from '@mantine/core'
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
  { kind: 'reviews', label: 'Reviews that wait', text: 'Once for each, together every few minutes.' },
  { kind: 'lowBalance', label: 'Low balance', text: 'When it falls below the threshold of a company.' },
  { kind: 'endpoints', label: 'Failing webhook endpoints', text: 'After a day of failures, and when one is disabled.' },
  { kind: 'keys', label: 'Expiring keys', text: 'Seven days and one day before a key expires.' },
] as const

export function Notifications() {
  const query = useData('notifications', [], (_client, options) => api.account.notifications(options))
  const change = useAction(
    (choice: Parameters<typeof api.account.changeNotifications>[0]) => api.account.changeNotifications(choice),
    {
      refreshes: ['notifications'],
      onDone: () => toast('Choice saved.'),
    },
  )
  return (
    <Panel title="Mails">
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
  if (!chosen.sendsMail) return 'This server sends no mail. Your choice holds as soon as it does.'
  if (KINDS.every(({ kind }) => chosen[kind] === null)) return 'Your roles get no mails but links to sign in.'
  return 'We tell you by e-mail, in all your companies. Invitations and links to sign in are always sent.'
}
