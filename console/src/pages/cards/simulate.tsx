// In the sandbox: makes a payment with the card, as a merchant would.
import { Button, Modal, NativeSelect, TextInput } from '@mantine/core'
import { type Card, TRANSACTION_TYPES, type TransactionType } from '@cardstock/sdk'
import { type FormEvent, useState } from 'react'
import { useWorkplace } from '../../api/company.tsx'
import { useAction } from '../../api/use-action.ts'
import { AmountField, isAmount } from '../../order/amount-field.tsx'
import { Problem } from '../../ui/notice.tsx'
import { tell } from '../../ui/tell.ts'
import styles from './cards.module.css'

export function SimulatePurchase({ card }: { card: Card }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        Simulate a payment
      </Button>
      {isOpen ? <Dialog card={card} close={() => setOpen(false)} /> : null}
    </>
  )
}

const STATUSES = [
  { value: 'settled', label: 'Settled at once' },
  { value: 'pending', label: 'Pending' },
  { value: 'declined', label: 'Declined' },
] as const

function Dialog({ card, close }: { card: Card; close: () => void }) {
  const { client } = useWorkplace()
  const [type, setType] = useState<TransactionType>('purchase')
  const [amount, setAmount] = useState('')
  const [merchant, setMerchant] = useState('')
  const [status, setStatus] = useState<(typeof STATUSES)[number]['value']>('settled')
  const named = merchant.trim() === '' ? {} : { merchant: merchant.trim() }
  const pay = useAction(() => client.sandbox.createTransaction({ cardId: card.id, type, amount, status, ...named }), {
    refreshes: ['transactions', 'cards'],
    onDone: (payment) => {
      tell(payment.status === 'declined' ? 'The payment was declined.' : 'The payment was made.')
      close()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isAmount(amount)) void pay.run()
  }
  return (
    <Modal
      opened
      onClose={close}
      title={`Pay with •••• ${card.last4}`}
      closeButtonProps={{ 'aria-label': 'Close this dialog' }}
    >
      <form onSubmit={submit} className={styles.fields}>
        <AmountField value={amount} onChange={setAmount} limits="More than the balance is declined." />
        <NativeSelect
          label="Type"
          value={type}
          data={[...TRANSACTION_TYPES]}
          onChange={(event) => setType(event.currentTarget.value as TransactionType)}
        />
        <NativeSelect
          label="Status"
          value={status}
          data={STATUSES.map(({ value, label }) => ({ value, label }))}
          onChange={(event) => setStatus(event.currentTarget.value as typeof status)}
        />
        <TextInput
          label="Merchant"
          description="The sandbox invents one if you leave it empty."
          value={merchant}
          onChange={(event) => setMerchant(event.currentTarget.value)}
        />
        <Problem error={pay.error} />
        <Button type="submit" disabled={!isAmount(amount)} loading={pay.isBusy}>
          Make the payment
        </Button>
      </form>
    </Modal>
  )
}
