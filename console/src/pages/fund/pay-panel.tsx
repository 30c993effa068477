// How to pay an invoice: the exact amount, the address, the code, the time that is left, and what may go wrong.
import type { FundingInvoice } from '@cardstock/sdk'
import { useWorkplace } from '~/api/company.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { CopyField } from './copy-field.tsx'
import { QrCode } from '~/ui/qr-code.tsx'
import { TimeLeft } from './time-left.tsx'
import styles from './fund.module.css'

/** The TRC-20 contract of USDT on TRON, so that a wallet that reads the code selects the right coin. */
const USDT_CONTRACT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

export function PayPanel({ invoice }: { invoice: FundingInvoice }) {
  const { environment } = useWorkplace()
  const { address, payAmount, expiresAt, asset } = invoice
  if (address === null || payAmount === null || expiresAt === null) return null
  return (
    <Panel title="How to pay">
      <div className={styles.form}>
        {environment === 'sandbox' ? (
          <Notice tone="amber">
            <p>This is a test invoice. Do not send real money: it would be lost. Simulate a payment instead.</p>
          </Notice>
        ) : null}
        <TimeLeft until={expiresAt} />
        <div className={styles.pay}>
          <div className={styles.form}>
            <CopyField
              label="Exact amount"
              value={payAmount}
              unit={asset}
              action="Copy amount"
              hint="Send exactly this amount, to the last digit, in one payment: the digits identify your payment. If your exchange deducts a fee, this amount must still arrive."
              isLarge
            />
            <CopyField
              label="Address"
              value={address}
              action="Copy address"
              hint="After pasting, compare the first and last characters."
            />
          </div>
          <figure className={styles.code}>
            <QrCode
              text={`tron:${address}?amount=${payAmount}&token=${USDT_CONTRACT}`}
              label="QR code with the address and the exact amount"
            />
            <figcaption>Address and amount, for wallets that scan QR codes</figcaption>
          </figure>
        </div>
        <ul className={styles.rules}>
          <li>
            <strong>USDT on TRON (TRC-20) only.</strong> USDT on another network, or another coin, is lost.
          </li>
          <li>The wallet also needs TRX for the network fee.</li>
        </ul>
      </div>
    </Panel>
  )
}

export function WhatIf() {
  return (
    <Panel title="If something goes wrong">
      <dl className={styles.whatIf}>
        <dt>Too little was sent</dt>
        <dd>Do not send the rest. An operator decides; what arrived can be credited, less the fee.</dd>
        <dt>Too much was sent</dt>
        <dd>You do not need to do anything. An operator decides; what arrived can be credited, less the fee.</dd>
        <dt>It was sent late</dt>
        <dd>
          A payment in a block before the deadline counts, even if we see it later. An operator checks any later
          payment. Keep the id of your transaction.
        </dd>
        <dt>It was sent twice</dt>
        <dd>Do not pay again. An operator checks the payments and decides what is credited.</dd>
      </dl>
    </Panel>
  )
}
