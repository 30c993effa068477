// A form that orders something: the fields, the price, which updates while the person types, and a button that names the total. When the order
// is sent, its timeline replaces the form.
import { Button } from '@mantine/core'
import type { NewOperation, Pricing } from '@cardstock/sdk'
import { type ReactNode, useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { codeOf, detailOf, isOutcomeUnknown } from '~/api/errors.ts'
import { type Action, useAction } from '~/api/use-action.ts'
import { useRefresh } from '~/api/use-data.ts'
import { useIdempotencyKey } from '~/api/use-idempotency-key.ts'
import { Progress } from '~/features/operations/progress.tsx'
import { paths } from '~/paths.ts'
import { Form } from '~/ui/form.tsx'
import { Go } from '~/ui/go.tsx'
import { formatMoney } from '~/ui/money.tsx'
import { Notice } from '~/ui/notice.tsx'
import { FormColumn, Panel } from '~/ui/page.tsx'
import { Refused } from '~/ui/refusal.tsx'
import { ConfirmOrder } from './confirm-order.tsx'
import { describeFee } from './fee-rule.ts'
import { QuotePanel } from './quote-panel.tsx'
import { type Priced, useQuote } from './use-quote.ts'
import styles from './order.module.css'

interface Props {
  /** Names the form and what it is about. */
  readonly form: string
  /** The verb on the button: `Issue`, `Top up`, `Order`. */
  readonly verb: string
  /** What would be sent, or undefined while something is missing. */
  readonly draft: NewOperation | undefined
  readonly pricing: Pricing | undefined
  /** The fields. */
  readonly children: ReactNode
  /** Empties the fields after the server has accepted the order. */
  clear(): void
}

export function OrderForm({ form, verb, draft, pricing, children, clear }: Props) {
  const { environment, company } = useWorkplace()
  const [isAsking, setAsking] = useState(false)
  const priced = useQuote(draft)
  const wanted = JSON.stringify(draft)
  const [sent, setSent] = useState<string>()
  const [sentId, setSentId] = useState<string>()
  const { send, changedFrom, originalId } = useOrder(form, priced, (id) => {
    setSentId(id)
    clear()
  })
  if (sentId !== undefined) {
    return (
      <FormColumn>
        <Progress id={sentId} again={() => setSentId(undefined)} />
      </FormColumn>
    )
  }
  const total = priced.quote?.total
  const isReady = draft !== undefined && total !== undefined && !priced.isOld && priced.error === undefined
  const order = () => {
    setAsking(false)
    if (!isReady) return
    setSent(wanted)
    void send.run({ ...draft, expectedTotal: total })
  }
  const submit = () => (environment === 'sandbox' ? order() : setAsking(true))
  const ask = { verb, companyName: company?.name ?? '', priced, isBusy: send.isBusy }
  return (
    <>
      <Form error={priced.error ?? (sent === wanted ? send.error : undefined)} isReady={isReady} submit={submit}>
        <div className={styles.order}>
          <Panel>
            <div className={styles.fields}>{children}</div>
          </Panel>
          <div className={styles.side}>
            <QuotePanel priced={priced} pricing={pricing} />
            {changedFrom === undefined || sent !== wanted || total === undefined || total === changedFrom ? null : (
              <PriceChanged from={changedFrom} to={total} pricing={pricing} />
            )}
            {originalId === undefined ? null : <AlreadySent id={originalId} />}
            <Refused />
            <div>
              <Button type="submit" size="md" disabled={!isReady} loading={send.isBusy}>
                {total === undefined || !isReady ? verb : `${verb} for ${formatMoney(total)} USD`}
              </Button>
            </div>
          </div>
        </div>
      </Form>
      {/* Not inside of the form, which would get the submit event of the dialog too. */}
      {isAsking ? <ConfirmOrder {...ask} confirm={order} close={() => setAsking(false)} /> : null}
    </>
  )
}

interface Ordering {
  readonly send: Action<NewOperation, { id: string }>
  /** The total that was confirmed before the price changed. */
  readonly changedFrom: string | undefined
  readonly originalId: string | undefined
}

function useOrder(form: string, priced: Priced, onSent: (id: string) => void): Ordering {
  const { client } = useWorkplace()
  const refresh = useRefresh()
  const { key, renew } = useIdempotencyKey(form)
  const [changedFrom, setChangedFrom] = useState<string>()
  const [originalId, setOriginalId] = useState<string>()
  const send = useAction(
    (order: NewOperation) => {
      setOriginalId(undefined)
      return client.operations.create(order, { idempotencyKey: key })
    },
    {
      refreshes: ['operations', 'balance', 'cards', 'statements'],
      onDone: ({ id }) => {
        setChangedFrom(undefined)
        renew()
        onSent(id)
      },
      onRefused: (error) => {
        if (codeOf(error) === 'quote_changed') {
          // The quote, and the rule that made it.
          void refresh(['products'])
          // The refusal itself says that an earlier try may have been carried out.
          const isCertain = !isOutcomeUnknown(error)
          setChangedFrom(isCertain ? priced.quote?.total : undefined)
          return isCertain
        }
        // The form was sent before, and then changed. The first order was carried out, so the next one needs another key.
        const id = detailOf(error, 'originalId')
        if (codeOf(error) !== 'idempotency_conflict' || id === undefined) return false
        setOriginalId(id)
        renew()
        return true
      },
    },
  )
  return { send, changedFrom, originalId }
}

function PriceChanged({ from, to, pricing }: { from: string; to: string; pricing: Pricing | undefined }) {
  return (
    <div role="alert">
      <Notice tone="amber" title="The price has changed">
        <p>
          The total was {formatMoney(from)} USD and is now {formatMoney(to)} USD
          {pricing === undefined ? '' : `, because the fee is now ${describeFee(pricing)}`}. Nothing was ordered.
          Confirm the new total, or change the order.
        </p>
      </Notice>
    </div>
  )
}

function AlreadySent({ id }: { id: string }) {
  return (
    <div role="alert">
      <Notice tone="amber" title="Already sent">
        <p>
          Your first order was accepted: <Go href={paths.operation(id)}>{id}</Go>. Send the form again only if you want
          a second one.
        </p>
      </Notice>
    </div>
  )
}
