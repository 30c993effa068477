// Leads the holder of a live card to the page of its provider that shows the number. Cardstock never has the number.
import { Button, Modal } from '@mantine/core'
import type { Card, CardNumberPage } from '@cardstock/sdk'
import { useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { Problem } from '~/ui/notice.tsx'
import { Time } from '~/ui/time.tsx'

export function CardNumber({ card }: { card: Card }) {
  const { client, environment, may } = useWorkplace()
  const [page, setPage] = useState<CardNumberPage>()
  const action = useAction(() => client.cards.numberPage(card.id), { onDone: setPage })
  if (environment !== 'live' || card.status === 'closed' || !may('cards:write')) return null
  return (
    <>
      <Button variant="default" loading={action.isBusy} onClick={() => void action.run()}>
        Show number
      </Button>
      <Problem error={action.error} />
      {page === undefined ? null : (
        <Modal
          opened
          onClose={() => setPage(undefined)}
          title={`Number of •••• ${card.last4}`}
          closeButtonProps={{ 'aria-label': 'Close this dialog' }}
        >
          <p>
            The card provider shows the number on its own page. Anyone who has the link can open it until{' '}
            <Time value={page.expiresAt} precision="long" />. Recorded in the audit log under your name.
          </p>
          <a href={page.url} target="_blank" rel="noopener noreferrer">
            Open the provider’s page
          </a>
        </Modal>
      )}
    </>
  )
}
