// What waits for this person at the company: an invoice to pay, and endpoints that get no events. Nothing is shown while nothing does.
import type { FundingInvoice, WebhookEndpoint } from '@cardstock/sdk'
import type { ReactNode } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Money } from '~/ui/money.tsx'
import { Panel } from '~/ui/page.tsx'
import { Badge } from '~/ui/status.tsx'
import { Time } from '~/ui/time.tsx'
import styles from './overview.module.css'

/** A company has few endpoints. */
const ENDPOINTS_MAX = 100
const SHOWN_MAX = 5

/** An endpoint that the company has disabled itself gets no events either, which is what was wanted. */
const isFailing = ({ status, disabledReason, health }: WebhookEndpoint) =>
  status === 'enabled' ? health.failingSince !== null : disabledReason !== 'request'

export function ForYou() {
  const { may } = useWorkplace()
  // An event of the stream reads the invoices again. Neither is asked for again and again, because the overview asks for much already.
  const invoices = useData(
    'invoices',
    ['to pay'],
    (client, options) => client.invoices.list({ status: 'pending', limit: 1 }, options),
    { isEnabled: may('funding:write') },
  )
  const endpoints = useData(
    'webhook-endpoints',
    ['failing'],
    (client, options) => client.webhookEndpoints.list({ limit: ENDPOINTS_MAX }, options),
    { isEnabled: may('webhooks:write') },
  )
  const toPay = invoices.data?.data ?? []
  const failing = (endpoints.data?.data ?? []).filter(isFailing)
  if (toPay.length + failing.length === 0) return null
  return (
    <Panel title="For you">
      <ul className={styles.list}>
        {toPay.map((invoice) => (
          <ToPay key={invoice.id} invoice={invoice} />
        ))}
        {failing.slice(0, SHOWN_MAX).map((endpoint) => (
          <Failing key={endpoint.id} endpoint={endpoint} />
        ))}
        {failing.length > SHOWN_MAX ? (
          <li className={styles.item}>
            <Go href={paths.webhooks()}>All endpoints</Go>
          </li>
        ) : null}
      </ul>
    </Panel>
  )
}

function ToPay({ invoice: { id, depositAmount, expiresAt } }: { invoice: FundingInvoice }) {
  return (
    <Item
      href={paths.invoice(id)}
      title={
        <>
          Invoice for <Money value={depositAmount} />
        </>
      }
      badge={
        <Badge tone="blue" shape="half">
          To pay
        </Badge>
      }
    >
      {expiresAt === null ? null : (
        <>
          until <Time value={expiresAt} />
        </>
      )}
    </Item>
  )
}

function Failing({ endpoint: { id, url, health } }: { endpoint: WebhookEndpoint }) {
  return (
    <Item
      href={paths.webhook(id)}
      title={url}
      badge={
        <Badge tone="red" shape="cross">
          {health.failingSince === null ? 'Disabled' : 'Failing'}
        </Badge>
      }
    >
      {health.failingSince === null ? (
        'gets no events'
      ) : (
        <>
          since <Time value={health.failingSince} />
        </>
      )}
    </Item>
  )
}

interface ItemProps {
  readonly href: string
  readonly title: ReactNode
  readonly badge: ReactNode
  readonly children: ReactNode
}

function Item({ href, title, badge, children }: ItemProps) {
  return (
    <li className={styles.item}>
      <div className={styles.itemText}>
        <Go href={href}>{title}</Go>
        <div className="muted">{children}</div>
      </div>
      {badge}
    </li>
  )
}
