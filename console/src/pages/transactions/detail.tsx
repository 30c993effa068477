// One card payment: what it was, and in the sandbox what becomes of it.
import { useId } from '~/lib/use-id.ts'
import type { Transaction } from '@cardstock/sdk'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { CopyId } from '~/ui/copy.tsx'
import { Go } from '~/ui/go.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Money } from '~/ui/money.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Columns, Facts, PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { Time } from '~/ui/time.tsx'
import { CardNumber } from '~/features/cards/card-number.tsx'
import { PaymentAmount } from '~/features/cards/payment-amount.tsx'
import { NextStatus } from './next-status.tsx'
import { describeTransaction, titleOf, TONES, TYPE_TITLES } from './words.ts'
import styles from './transactions.module.css'

export default function TransactionDetail() {
  const id = useId()
  const query = useData('transactions', [id], (client, options) => client.transactions.get(id, options), {
    isMoving: (transaction) => transaction === undefined || transaction.status === 'pending',
  })
  return <Loaded query={query}>{(transaction) => <Shown transaction={transaction} />}</Loaded>
}

function Shown({ transaction }: { transaction: Transaction }) {
  const { id, status, occurredAt } = transaction
  return (
    <>
      <PageHeading
        title={titleOf(transaction)}
        badge={<Status value={status} />}
        parent={{ href: paths.transactions(), title: 'Transactions' }}
        actions={<NextStatus transaction={transaction} />}
      >
        <CopyId value={id} />
      </PageHeading>
      <Stack>
        <div role="status">
          <Notice tone={TONES[status]}>
            <p>{describeTransaction(transaction)}</p>
          </Notice>
        </div>
        <Columns
          main={
            <Panel>
              <p className={styles.amount}>
                <PaymentAmount payment={transaction} />
              </p>
              <p className="muted">
                <Time value={occurredAt} precision="long" />
              </p>
              <About transaction={transaction} />
            </Panel>
          }
          side={<CardPanel cardId={transaction.cardId} />}
        />
      </Stack>
    </>
  )
}

function About({ transaction }: { transaction: Transaction }) {
  const { type, status, merchant, country, category, merchantCategory, description, reference } = transaction
  return (
    <Facts
      facts={[
        ['Type', TYPE_TITLES[type]],
        merchant === '' ? undefined : ['Merchant', merchant],
        merchantCategory === null ? undefined : ['Category', `${category?.name ?? 'Code'} (${merchantCategory})`],
        country === '' ? undefined : ['Country', nameCountry(country)],
        description === '' ? undefined : [status === 'declined' ? 'Reason' : 'Description', description],
        ['Issuer reference', <CopyId key="reference" value={reference} />],
      ]}
    />
  )
}

/** `Ireland (IE)`; the code alone when the browser does not know it. */
function nameCountry(code: string): string {
  const name = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(code)
  return name === undefined ? code : `${name} (${code})`
}

function CardPanel({ cardId }: { cardId: string }) {
  const { may } = useWorkplace()
  const query = useData('cards', [cardId], (client, options) => client.cards.get(cardId, options), {
    isEnabled: may('cards:read'),
  })
  if (!may('cards:read')) return null
  return (
    <Panel title="Card" actions={<Go href={paths.card(cardId)}>Open card</Go>}>
      <Loaded query={query}>
        {({ last4, name, status, balance }) => (
          <Facts
            facts={[
              ['Number', <CardNumber key="number" last4={last4} />],
              ['Name', name],
              ['Status', <Status key="status" value={status} />],
              ['Balance now', <Money key="balance" value={balance} />],
              [
                'Transactions',
                <Go key="payments" href={paths.transactions({ cardId })}>
                  All transactions of this card
                </Go>,
              ],
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}
