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
import { toast } from '~/ui/toast.ts'

const REFRESHES = ['cards', 'operations', 'balance', 'statements'] as const

export function CardActions({ card }: { card: Card }) {
  const { client, environment, may } = useWorkplace()
  const [isClosing, setClosing] = useState(false)
  const [isFreezing, setFreezing] = useState(false)
  const toastDone = (done: string) => (after: Card) =>
    toast(after.pendingStatus === undefined ? done : 'The issuer was asked. The card changes when it answers.')
  const freeze = useAction(() => client.cards.freeze(card.id), {
    refreshes: REFRESHES,
    onDone: (after: Card) => {
      toastDone('The card is frozen.')(after)
      setFreezing(false)
    },
  })
  // A live card may be in use at this moment.
  const askToFreeze = environment === 'live' ? () => setFreezing(true) : () => void freeze.run()
  const unfreeze = useAction(() => client.cards.unfreeze(card.id), {
    refreshes: REFRESHES,
    onDone: toastDone('The card is active again.'),
  })
  if (!may('cards:write')) return null
  return (
    <>
      {cardCan(card, 'topUp') ? (
        <Button component={Go} href={paths.topUpCard(card.id)}>
          Top up
        </Button>
      ) : null}
      {cardCan(card, 'freeze') ? (
        <Button variant="default" loading={freeze.isBusy} onClick={askToFreeze}>
          Freeze
        </Button>
      ) : null}
      {cardCan(card, 'unfreeze') ? (
        <Button variant="default" loading={unfreeze.isBusy} onClick={() => void unfreeze.run()}>
          Unfreeze
        </Button>
      ) : null}
      {cardCan(card, 'close') ? (
        <Button variant="default" onClick={() => setClosing(true)}>
          Close card
        </Button>
      ) : null}
      <Problem error={isFreezing ? unfreeze.error : (freeze.error ?? unfreeze.error)} />
      {isFreezing ? (
        <Confirm
          title={`Freeze •••• ${card.last4}?`}
          action="Freeze card"
          typed={card.last4}
          isBusy={freeze.isBusy}
          error={freeze.error}
          confirm={() => void freeze.run()}
          close={() => setFreezing(false)}
        >
          Payments with the card are declined until you unfreeze it.
        </Confirm>
      ) : null}
      {isClosing ? <CloseCard card={card} close={() => setClosing(false)} /> : null}
    </>
  )
}

function CloseCard({ card, close }: { card: Card; close: () => void }) {
  const { client } = useWorkplace()
  const action = useAction(() => client.cards.close(card.id), {
    refreshes: REFRESHES,
    onDone: () => {
      toast('The card is being closed.')
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
      A closed card stays closed. Its balance of {formatMoney(card.balance)} USD returns to the card account.
    </Confirm>
  )
}
