// One card: what is on it, where it was spent, what happened to it, and what can be done with it.
import { useId } from '~/lib/use-id.ts'
import type { Card } from '@cardstock/sdk'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { CopyId } from '~/ui/copy.tsx'
import { Go } from '~/ui/go.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Money } from '~/ui/money.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Columns, Facts, PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { STATUSES } from '~/ui/statuses.ts'
import { Time } from '~/ui/time.tsx'
import { CardActions } from './actions.tsx'
import { CardChanges, CardHistory, CardPayments } from './activity.tsx'
import { nameOf, useProducts } from '~/features/cards/use-products.ts'
import styles from './cards.module.css'

export default function CardDetail() {
  const id = useId()
  const query = useData('cards', [id], (client, options) => client.cards.get(id, options), { isMoving: true })
  return <Loaded query={query}>{(card) => <Shown card={card} />}</Loaded>
}

function Shown({ card }: { card: Card }) {
  return (
    <>
      <PageHeading
        title={card.name}
        badge={<Status value={card.status} />}
        parent={{ href: paths.cards(), title: 'Cards' }}
        actions={<CardActions card={card} />}
      >
        <CopyId value={card.id} />
      </PageHeading>
      <Stack>
        <OpenChange card={card} />
        <Columns
          main={
            <>
              <CardPayments card={card} />
              <CardHistory card={card} />
              <CardChanges card={card} />
            </>
          }
          side={<About card={card} />}
          isSideFirst
        />
      </Stack>
    </>
  )
}

function OpenChange({ card }: { card: Card }) {
  if (card.pendingStatus === undefined) return null
  const word = STATUSES[card.pendingStatus]?.word.toLowerCase() ?? card.pendingStatus
  return (
    <Notice tone="blue" title="Change in progress">
      <p>
        The issuer was asked to change this card to {word} and has not confirmed it yet. Until it does, the card may
        still have its previous status. You do not need to do anything.
      </p>
    </Notice>
  )
}

function About({ card }: { card: Card }) {
  const products = useProducts()
  const { holder } = card
  return (
    <Panel>
      <div className={styles.face} data-status={card.status}>
        <p className={styles.faceProduct}>{nameOf(products, card.productId)}</p>
        <p className={styles.faceNumber}>
          <span aria-hidden="true">•••• •••• •••• </span>
          <span className="only-for-readers">Card ending in </span>
          {card.last4}
        </p>
        <p className={styles.faceHolder}>{holder?.name}</p>
      </div>
      <p className={styles.balanceLabel}>Balance</p>
      <p className={styles.balance}>
        <Money value={card.balance} />
      </p>
      <Facts
        facts={[
          holder === undefined
            ? undefined
            : [
                'Holder',
                <Go key="holder" href={paths.holder(holder.id)}>
                  {holder.name}
                </Go>,
              ],
          ['Product', nameOf(products, card.productId)],
          ['Created', <Time key="created" value={card.createdAt} />],
        ]}
      />
    </Panel>
  )
}
