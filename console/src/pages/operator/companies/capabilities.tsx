// What the company is activated for in live. Each switch takes effect at once, and its text says what it does.
import { Button } from '@mantine/core'
import type { CapabilityChange, Company } from '@cardstock/sdk'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { Problem } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { Badge } from '~/ui/status.tsx'
import { toast } from '~/ui/toast.ts'
import styles from './companies.module.css'

const CAPABILITIES = [
  { name: 'liveServices', title: 'Cards and services', text: 'Issue cards, top up cards and order services.' },
  { name: 'directInvoices', title: 'Funding', text: 'Create invoices that are paid in USDT.' },
] as const

export function Capabilities({ company, isOperator }: { company: Company; isOperator: boolean }) {
  const change = useAction((body: CapabilityChange) => api.admin.companies.changeCapabilities(company.id, body), {
    refreshes: ['companies', 'audit-log'],
    onDone: () => toast('The change holds from now on.'),
  })
  return (
    <Panel title="Active in live">
      <ul className={styles.capabilities}>
        {CAPABILITIES.map(({ name, title, text }) => {
          const isOn = company.capabilities[name]
          return (
            <li key={name}>
              <div>
                <p className={styles.capabilityTitle}>
                  {title}{' '}
                  <Badge tone={isOn ? 'green' : 'grey'} shape={isOn ? 'check' : 'square'}>
                    {isOn ? 'Active' : 'Not active'}
                  </Badge>
                </p>
                <p className="muted">{text}</p>
              </div>
              {isOperator ? (
                <Button
                  size="xs"
                  variant="default"
                  loading={change.isBusy}
                  aria-label={`${isOn ? 'Deactivate' : 'Activate'}: ${title}`}
                  onClick={() => void change.run({ [name]: !isOn })}
                >
                  {isOn ? 'Deactivate' : 'Activate'}
                </Button>
              ) : null}
            </li>
          )
        })}
      </ul>
      <Problem error={change.error} />
    </Panel>
  )
}
