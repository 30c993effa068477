// In the sandbox: makes a payment with a card, as a merchant would.
import { Button, Modal } from '@mantine/core'
import { type Card, TRANSACTION_TYPES, type TransactionType } from '@cardstock/sdk'
import { useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { isAmount } from '~/lib/amount.ts'
import { capitalised } from '~/lib/capitalised.ts'
import { AmountField } from '~/ui/amount-field.tsx'
import { SelectField, TextField } from '~/ui/fields.tsx'
import { Form } from '~/ui/form.tsx'
import { Refused } from '~/ui/refusal.tsx'
import { toast } from '~/ui/toast.ts'
import { CardField } from './card-field.tsx'
import styles from './simulate.module.css'

interface Props {
  /** The card to pay with. Without it the form has a field for it. */
  readonly card?: Card
  readonly size?: 'xs' | 'sm'
}

export function SimulatePurchase({ card, size = 'sm' }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" size={size} onClick={() => setOpen(true)}>
        Simulate a payment
      </Button>
      {isOpen ? <Dialog only={card} close={() => setOpen(false)} /> : null}
    </>
  )
}

const STATUSES = [
  { value: 'settled', label: 'Settled at once' },
  { value: 'pending', label: 'Pending' },
  { value: 'declined', label: 'Declined' },
] as const

function Dialog({ only, close }: { only: Card | undefined; close: () => void }) {
  const { client } = useWorkplace()
  const [cardId, setCardId] = useState(only?.id ?? '')
  const [type, setType] = useState<TransactionType>('purchase')
  const [amount, setAmount] = useState('')
  const [merchant, setMerchant] = useState('')
  const [status, setStatus] = useState<(typeof STATUSES)[number]['value']>('settled')
  const named = merchant.trim() === '' ? {} : { merchant: merchant.trim() }
  const pay = useAction(() => client.sandbox.createTransaction({ cardId, type, amount, status, ...named }), {
    refreshes: ['transactions', 'cards'],
    onDone: (payment) => {
      toast(payment.status === 'declined' ? 'Payment declined.' : 'Payment simulated.')
      close()
    },
  })
  const isReady = isAmount(amount) && cardId !== ''
  return (
    <Modal
      opened
      onClose={close}
      title={only === undefined ? 'Pay with a card' : `Pay with •••• ${only.last4}`}
      closeButtonProps={{ 'aria-label': 'Close this dialog' }}
    >
      <Form error={pay.error} isReady={isReady} submit={() => void pay.run()} className={styles.fields}>
        <AmountField value={amount} onChange={setAmount} limits="Amounts above the card balance are declined." />
        {only === undefined ? (
          <CardField param="cardId" required status="active" value={cardId} onChange={setCardId} />
        ) : null}
        <SelectField
          param="type"
          label="Type"
          value={type}
          data={TRANSACTION_TYPES.map((value) => ({ value, label: capitalised(value) }))}
          onChange={(event) => setType(event.currentTarget.value as TransactionType)}
        />
        <SelectField
          param="status"
          label="Status"
          value={status}
          data={STATUSES.map(({ value, label }) => ({ value, label }))}
          onChange={(event) => setStatus(event.currentTarget.value as typeof status)}
        />
        <TextField
          param="merchant"
          label="Merchant"
          description="Leave it empty to use a made-up one."
          value={merchant}
          onChange={(event) => setMerchant(event.currentTarget.value)}
        />
        <Refused />
        <Button type="submit" disabled={!isReady} loading={pay.isBusy}>
          Simulate payment
        </Button>
      </Form>
    </Modal>
  )
}
