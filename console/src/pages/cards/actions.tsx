// What can be done with a card: only what its state and the person's role allow.
import { Button } from '@mantine/core'
import type { Card } from '@cardstock/sdk'
import { useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { cardCan } from '~/lib/can.ts'
import { paths } from '~/paths.ts'
import { Confirm } from '~/ui/confirm.tsx'
import { Go } from '~/ui/go.tsx'
import { formatMoney } from '~/ui/money.tsx'
import { Problem } from '~/ui/notice.tsx'
import { CardNumber } from './card-number.tsx'
import { toast } from '~/ui/toast.ts'

const REFRESHES = ['cards', 'operations', 'balance', 'statements'] as const

export function CardActions({ card }: { card: Card }) {
  const { client, may } = useWorkplace()
  const [isClosing, setClosing] = useState(false)
  const toastDone = (done: string, undo?: () => void) => (after: Card) => {
    if (after.pendingStatus === undefined) toast(done, undo)
    else toast('Request sent.')
  }
  const unfreeze = useAction(() => client.cards.unfreeze(card.id), {
    refreshes: REFRESHES,
    onDone: toastDone('Card unfrozen.'),
  })
  // A stolen card is stopped with one click, because that can be taken back as quickly.
  const freeze = useAction(() => client.cards.freeze(card.id), {
    refreshes: REFRESHES,
    onDone: toastDone('Card frozen.', () => void unfreeze.run()),
  })
  if (!may('cards:write')) return null
  return (
    <>
      {cardCan(card, 'topUp') ? (
        <Button component={Go} href={paths.topUpCard(card.id)}>
          Top up card
        </Button>
      ) : null}
      {cardCan(card, 'freeze') ? (
        <Button variant="default" loading={freeze.isBusy} onClick={() => void freeze.run()}>
          Freeze card
        </Button>
      ) : null}
      {cardCan(card, 'unfreeze') ? (
        <Button variant="default" loading={unfreeze.isBusy} onClick={() => void unfreeze.run()}>
          Unfreeze card
        </Button>
      ) : null}
      {cardCan(card, 'close') ? (
        <Button variant="default" onClick={() => setClosing(true)}>
          Close card
        </Button>
      ) : null}
      <CardNumber card={card} />
      <Problem error={freeze.error ?? unfreeze.error} />
      {isClosing ? <CloseCard card={card} close={() => setClosing(false)} /> : null}
    </>
  )
}

function CloseCard({ card, close }: { card: Card; close: () => void }) {
  const { client } = useWorkplace()
  const action = useAction(() => client.cards.close(card.id), {
    refreshes: REFRESHES,
    onDone: () => {
      toast('Closing card.')
      close()
    },
  })
  return (
    <Confirm
      title={`Close •••• ${card.last4}?`}
      action="Close card"
      typed={card.last4}
      isBusy={action.isBusy}
      error={action.error}
      confirm={() => void action.run()}
      close={close}
    >
      A closed card cannot be reopened. Its balance, now {formatMoney(card.balance)} USD, returns to the card account
      once the issuer confirms.
    </Confirm>
  )
}
