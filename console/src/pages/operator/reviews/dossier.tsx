// What is known about a review, read from left to right: what we asked, what came back, what we know now.
import type { IssuerExchange, ReceivedPayment, Review } from '@cardstock/sdk'
import { paths } from '~/paths.ts'
import { CopyId } from '~/ui/copy.tsx'
import { Go } from '~/ui/go.tsx'
import { FoldedJson } from '~/ui/json.tsx'
import { formatMoney, Money } from '~/ui/money.tsx'
import { type Fact, Facts, Panel } from '~/ui/page.tsx'
import { formatDuration, Time } from '~/ui/time.tsx'
import { type Step, Timeline } from '~/ui/timeline.tsx'
import { OUTCOME_WORDS } from './words.ts'
import styles from './reviews.module.css'

export function Dossier({ review }: { review: Review }) {
  const { exchanges, payments = [], note } = review.dossier
  const requests = exchanges.filter(({ purpose }) => purpose === 'request')
  const lookUps = exchanges.filter(({ purpose }) => purpose !== 'request')
  const came = [...requests.map(stepOf), ...payments.map(paymentStepOf)]
  return (
    <div className={styles.story}>
      <Panel title="What we asked">
        <Facts facts={factsOf(review)} />
      </Panel>
      <Panel title="What came back">
        {came.length === 0 ? <p className={styles.nothing}>No answer recorded.</p> : <Timeline steps={came} />}
      </Panel>
      <Panel title="What we know now">
        {note === null ? null : <p className={styles.note}>{note}</p>}
        {lookUps.length === 0 ? (
          <p className={styles.nothing}>
            {review.object === 'payment' || payments.length > 0
              ? 'The issuer reported only the payments shown here.'
              : 'The issuer has not been asked again. Check its own records before you decide.'}
          </p>
        ) : (
          <Timeline steps={lookUps.map(stepOf)} />
        )}
      </Panel>
    </div>
  )
}

function factsOf({ companyId, companyName, heldAmount, invoiceId, dossier }: Review): readonly Fact[] {
  const facts: Fact[] = [
    [
      'Company',
      <Go key="company" href={paths.company(companyId)}>
        {companyName}
      </Go>,
    ],
    ['Held', <Money key="held" value={heldAmount} />],
    ...Object.entries(dossier.request).flatMap(([name, value]) => requestFact(name, value, dossier.names)),
  ]
  if (invoiceId !== undefined) facts.push(['Invoice', <CopyId key="invoice" value={invoiceId} />])
  facts.push(['Accepted', <Time key="accepted" value={dossier.acceptedAt} precision="long" />])
  if (dossier.claimedAt !== null)
    facts.push(['Started', <Time key="claimed" value={dossier.claimedAt} precision="long" />])
  return facts
}

const NAMES: Readonly<Record<string, string | undefined>> = {
  token: 'Token',
  amount: 'Amount',
  productId: 'Product',
  holderId: 'Holder',
  cardId: 'Card',
  name: 'Card name',
  recipient: 'Recipient',
  status: 'Requested status',
  address: 'Address',
  payAmount: 'Amount to pay',
  expiresAt: 'Expires',
}

/** The kind of request is the title of the page. */
function requestFact(name: string, value: unknown, names: Review['dossier']['names']): Fact[] {
  if (name === 'type' || typeof value !== 'string') return []
  const title = NAMES[name] ?? name
  if (name === 'amount') return [[title, <Money key={name} value={value} />]]
  if (name === 'payAmount') return [[title, <Money key={name} value={value} currency="USDT" />]]
  if (name === 'expiresAt') return [[title, <Time key={name} value={value} />]]
  const called = names[value]
  if (typeof called === 'string') return [[title, <NamedId key={name} name={called} id={value} />]]
  return [[title, /^[a-z]+_[0-9a-f]{32}$/.test(value) ? <CopyId key={name} value={value} /> : value]]
}

/** What something is called, and the id by which the issuer knows it. */
function NamedId({ name, id }: { name: string; id: string }) {
  return (
    <span className={styles.named}>
      <span>{name}</span>
      <CopyId value={id} />
    </span>
  )
}

const LOOKS: Readonly<Record<string, Pick<Step, 'tone' | 'shape'> | undefined>> = {
  confirmed: { tone: 'green', shape: 'check' },
  declined: { tone: 'red', shape: 'cross' },
  absent: { tone: 'red', shape: 'cross' },
}

function stepOf({ outcome, startedAt, finishedAt, sent, received }: IssuerExchange): Step {
  const look = LOOKS[outcome] ?? { tone: 'amber', shape: 'triangle' }
  const ms = finishedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt)
  const took = ms === undefined ? undefined : ms < 1000 ? `${ms} ms` : formatDuration(ms)
  return {
    title: OUTCOME_WORDS[outcome] ?? outcome,
    ...look,
    at: startedAt,
    detail: (
      <>
        <p>{took === undefined ? 'The end of the call was not recorded.' : `Took ${took}.`}</p>
        <FoldedJson label="Request sent" value={sent} />
        <FoldedJson label="Answer received" value={received} />
      </>
    ),
  }
}

function paymentStepOf({ amount, paidAt, recordedAt, reference }: ReceivedPayment): Step {
  return {
    title: `${formatMoney(amount)} USDT arrived`,
    tone: 'blue',
    shape: 'half',
    at: paidAt,
    detail: (
      <>
        <p>
          Recorded at <Time value={recordedAt} precision="long" />.
        </p>
        <CopyId value={reference} />
      </>
    ),
  }
}
