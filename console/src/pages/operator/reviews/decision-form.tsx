// The form that decides a review: the choices, each with its consequence in money, and a reason. In live the person also types the id. A decision
// cannot be undone, and the server accepts only the first one.
import { Button, TextInput } from '@mantine/core'
import type { Review, ReviewResolution } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { codeOf } from '~/api/errors.ts'
import { useAction } from '~/api/use-action.ts'
import { useRefresh } from '~/api/use-data.ts'
import { useKeptText } from '~/api/use-kept-text.ts'
import { type TypedFormat, USD, USDT } from '~/lib/amount.ts'
import { useTypedAmount } from '~/lib/use-typed-amount.ts'
import { ChoiceCards } from '~/ui/choice-cards.tsx'
import { TextAreaField, TextField } from '~/ui/fields.tsx'
import { Form } from '~/ui/form.tsx'
import { Panel } from '~/ui/page.tsx'
import { Refused } from '~/ui/refusal.tsx'
import { toast } from '~/ui/toast.ts'
import { choicesOf, type Outcome } from './words.ts'
import form from '~/ui/form.module.css'
import styles from './reviews.module.css'

const REASON_LENGTH_MAX = 2000

interface Props {
  readonly review: Review
  /** Called with this person's choice if somebody else's decision came first. */
  onLost(outcome: Outcome | undefined): void
}

export function DecisionForm({ review, onLost }: Props) {
  const { id, environment } = review
  const refresh = useRefresh()
  const [outcome, setOutcome] = useState<Outcome>()
  const [reason, setReason] = useKeptText(`review ${id} reason`)
  const [evidence, setEvidence] = useKeptText(`review ${id} evidence`)
  const [details, setDetails] = useState<Details>({})
  const [typed, setTyped] = useState('')
  const decide = useAction((resolution: ReviewResolution) => api.admin.reviews.resolve(id, resolution), {
    refreshes: ['reviews', 'audit-log'],
    onDone: () => {
      setReason('')
      setEvidence('')
      toast('Review decided.')
    },
    // Somebody else may have decided, or money may have arrived. The review is read again before another try.
    onRefused: (error) => {
      if (codeOf(error) === 'already_resolved') onLost(outcome)
      void refresh(['reviews', 'audit-log'])
      return false
    },
  })
  const mustType = environment === 'live'
  const choice = choicesOf(review).find(({ value }) => value === outcome)
  const isRead = outcome !== 'completed' || formatOf(review).findProblem(details.receivedAmount ?? '') === undefined
  const isReady = choice !== undefined && reason.trim() !== '' && isRead && (!mustType || typed.trim() === id)
  const submit = () => {
    if (choice === undefined) return
    void decide.run({
      outcome: choice.value,
      reason: reason.trim(),
      ...(evidence.trim() === '' ? {} : { evidence: evidence.trim() }),
      ...(choice.value === 'completed' ? filledOf(details) : {}),
    })
  }
  return (
    <Panel title="Your decision">
      <Form error={decide.error} isReady={isReady} submit={submit} className={form.fields}>
        <ChoiceCards
          param="outcome"
          legend="What happened? This cannot be undone."
          choices={choicesOf(review)}
          value={outcome}
          onChange={setOutcome}
        />
        {outcome === 'completed' ? <DetailFields review={review} details={details} set={setDetails} /> : null}
        <Reasons reason={reason} setReason={setReason} evidence={evidence} setEvidence={setEvidence} />
        {mustType ? <TypedId id={id} value={typed} onChange={setTyped} /> : null}
        <Refused />
        <div className={form.buttons}>
          <Button type="submit" disabled={!isReady} loading={decide.isBusy}>
            {choice === undefined ? 'Decide review' : `Decide: ${choice.title.toLowerCase()}`}
          </Button>
        </div>
      </Form>
    </Panel>
  )
}

/** A card returns dollars; an invoice and a payment are in USDT. */
const formatOf = ({ object }: Review): TypedFormat => (object === 'card_change' ? USD : USDT)

type Details = Partial<Record<'last4' | 'receipt' | 'receivedAmount', string>>

function filledOf(details: Details): Details {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value.trim() !== ''))
}

interface DetailFieldsProps {
  readonly review: Review
  readonly details: Details
  set(details: Details): void
}

/** What only the issuer's record shows, and only if the request was carried out. */
function DetailFields({ review, details, set }: DetailFieldsProps) {
  const { object, environment, dossier } = review
  const field = (name: keyof Details) => ({
    value: details[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) => set({ ...details, [name]: event.currentTarget.value }),
  })
  if (object === 'operation') {
    return (
      <div className={styles.pair}>
        {dossier.type === 'issue' ? (
          <TextField
            param="last4"
            label="Last four digits"
            description="Of the card that the issuer created."
            required={environment === 'live'}
            inputMode="numeric"
            maxLength={4}
            {...field('last4')}
          />
        ) : null}
        <TextField
          param="receipt"
          label="Receipt"
          description="The issuer's receipt, if it gave one."
          {...field('receipt')}
        />
      </div>
    )
  }
  if (object === 'card_change') {
    if (dossier.type !== 'closed') return null
    return (
      <ReceivedAmount
        label="Returned amount in USD"
        description="What the issuer returned. Leave it empty to use the balance recorded here."
        format={formatOf(review)}
        details={details}
        set={set}
      />
    )
  }
  return (
    <ReceivedAmount
      label="Received amount in USDT"
      description="What was actually received. Leave it empty to use what the issuer reported."
      format={formatOf(review)}
      details={details}
      set={set}
    />
  )
}

interface ReceivedAmountProps extends Omit<DetailFieldsProps, 'review'> {
  readonly label: string
  readonly description: string
  readonly format: TypedFormat
}

function ReceivedAmount({ label, description, format, details, set }: ReceivedAmountProps) {
  const typed = useTypedAmount(
    details.receivedAmount ?? '',
    (receivedAmount) => set({ ...details, receivedAmount }),
    format,
  )
  return (
    <TextField
      param="receivedAmount"
      label={label}
      description={description}
      inputMode="decimal"
      autoComplete="off"
      {...typed}
    />
  )
}

interface ReasonsProps {
  readonly reason: string
  readonly evidence: string
  setReason(text: string): void
  setEvidence(text: string): void
}

function Reasons({ reason, evidence, setReason, setEvidence }: ReasonsProps) {
  return (
    <>
      <TextAreaField
        param="reason"
        label="Reason"
        description="Why you decide this way. Recorded in the audit log under your name."
        required
        rows={3}
        maxLength={REASON_LENGTH_MAX}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <TextField
        param="evidence"
        label="Evidence"
        description="What the decision is based on, such as the issuer's ticket or a link to its record."
        value={evidence}
        onChange={(event) => setEvidence(event.currentTarget.value)}
      />
    </>
  )
}

function TypedId({ id, value, onChange }: { id: string; value: string; onChange: (text: string) => void }) {
  return (
    <TextInput
      label={`Type ${id} to confirm`}
      description="This is live: real money is involved."
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
