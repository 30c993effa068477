// What the company is activated for in live. Each switch takes effect at once, so the operator is asked first.
import { Button } from '@mantine/core'
import type { CapabilityChange, Company } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { Panel } from '~/ui/page.tsx'
import { Badge } from '~/ui/status.tsx'
import { toast } from '~/ui/toast.ts'
import { LiveMoney } from './live-money.tsx'
import styles from './companies.module.css'

const CAPABILITIES = [
  {
    name: 'liveServices',
    title: 'Cards and services',
    verb: 'are',
    text: 'Issue cards, top up cards and order services.',
  },
  { name: 'directInvoices', title: 'Funding', verb: 'is', text: 'Create invoices to pay in USDT.' },
] as const

export function Capabilities({ company, isOperator }: { company: Company; isOperator: boolean }) {
  const [asked, setAsked] = useState<Asked>()
  return (
    <Panel title="Active in live">
      <ul className={styles.capabilities}>
        {CAPABILITIES.map(({ name, title, verb, text }) => {
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
                  aria-label={`${isOn ? 'Deactivate' : 'Activate'} ${title.toLowerCase()}`}
                  onClick={() => setAsked({ name, title, verb, text, isOn })}
                >
                  {isOn ? 'Deactivate' : 'Activate'}
                </Button>
              ) : null}
            </li>
          )
        })}
      </ul>
      {asked === undefined ? null : <Change company={company} asked={asked} close={() => setAsked(undefined)} />}
    </Panel>
  )
}

interface Asked {
  readonly name: keyof CapabilityChange
  readonly title: string
  readonly verb: string
  readonly text: string
  readonly isOn: boolean
}

function Change({ company, asked, close }: { company: Company; asked: Asked; close: () => void }) {
  const { name, title, verb, text, isOn } = asked
  const change = useAction(() => api.admin.companies.changeCapabilities(company.id, { [name]: !isOn }), {
    refreshes: ['companies', 'audit-log'],
    onDone: () => {
      toast(`${title} ${verb} ${isOn ? 'not active' : 'active'} in live.`)
      close()
    },
  })
  return (
    <FormDialog
      title={`${isOn ? 'Deactivate' : 'Activate'} ${title.toLowerCase()} for ${company.name}?`}
      action={`${isOn ? 'Deactivate' : 'Activate'} ${title.toLowerCase()}`}
      isBusy={change.isBusy}
      isDestructive={isOn}
      error={change.error}
      submit={() => void change.run()}
      close={close}
    >
      <p>
        {isOn
          ? `${company.name} will no longer be able to do this in live: ${text} New requests are refused at once; what is in progress is finished.`
          : `${company.name} will be able to do this in live, with real money: ${text}`}
      </p>
      <LiveMoney company={company} />
    </FormDialog>
  )
}
