// The payment page behind a pay link, for the person who sends the money: exactly what to pay and where, or what happens next.
// The HTML must be complete without the script, which only adds convenience.
import { escapeHtml } from '../lib/html.ts'
import { formatCents } from '../lib/money.ts'
import { formatMicros } from '../tron/usdt.ts'
import { createPayCodes } from './pay-code.ts'
import { SCRIPT, STYLE } from './pay-page-look.ts'
import type { InvoiceRow } from './queries.ts'
import type { InvoiceStatus } from './states.ts'

/** The TRC-20 contract of USDT on TRON, so that a wallet that reads the QR code selects the right coin. */
const USDT_CONTRACT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
/** Without scripts the page is loaded again this often: soon enough for a payer who waits, and an open page costs little. */
const REFRESH_S = 20

const codeOf = createPayCodes()

/** What the payment page shows. */
export interface PayPage {
  readonly row: InvoiceRow
  readonly companyName: string
  readonly now: Date
}

const BADGES: Readonly<Record<InvoiceStatus, string>> = {
  creating: 'Being prepared',
  pending: 'Waiting for your payment',
  completed: 'Paid',
  expired: 'Expired',
  failed: 'Not available',
  manual_review: 'Being checked',
}

export function renderPayPage(page: PayPage): string {
  const { row } = page
  const { title, body } = CONTENT[row.status](page)
  const sandbox =
    row.environment === 'sandbox'
      ? '<p class="banner">This is a test invoice. Do not send real money: it would be lost.</p>'
      : ''
  // Everything that a payer must be told about: the script replaces the page when this changes.
  const state = escapeHtml([row.status, row.received ?? '', ...row.reasons].join(' '))
  return frame(
    title,
    `<main data-state="${state}"><div class="paper">${sandbox}<p class="badge ${row.status}">${badgeOf(row)}</p>
<h1>${title}</h1>${body}</div></main>`,
  )
}

/** A cancelled invoice has the status of an expired one. */
function badgeOf({ status, cancelled_by: cancelledBy }: InvoiceRow): string {
  return status === 'expired' && cancelledBy !== null ? 'Cancelled' : BADGES[status]
}

/** Returns the page for a link that does not exist. */
export function renderNoInvoice(): string {
  const title = 'Invoice not found'
  return frame(
    title,
    `<main data-state="none"><div class="paper"><h1>${title}</h1>
<p>Check that the link is complete, or ask the sender for a new one. Do not send any money.</p></div></main>`,
  )
}

function frame(title: string, main: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><noscript><meta http-equiv="refresh" content="${REFRESH_S}"></noscript>
<title>${title}</title><style>${STYLE}</style></head><body>
${main}
<footer><p id="news" role="status" class="hidden"></p><p>This page updates by itself. Anyone who has the link can see it.</p></footer>
<script>${SCRIPT}</script></body></html>`
}

const CONTENT: Readonly<Record<InvoiceStatus, (page: PayPage) => { title: string; body: string }>> = {
  creating: () => ({
    title: 'The invoice is being prepared',
    body: '<p>The address and the exact amount will appear here in a moment. Do not send any money yet.</p>',
  }),
  pending: renderPending,
  completed: ({ row, companyName }) => ({
    title: 'Payment received',
    body: `<p>${formatMicros(row.received ?? 0n)} USDT arrived, and ${formatCents(row.deposit - row.fee)} USD was credited to the card account of ${escapeHtml(companyName)}, after a fee of ${formatCents(row.fee)} USD.</p>
<p>There is nothing more to do. Do not pay this invoice again.</p>`,
  }),
  expired: ({ row, companyName }) => ({
    title: row.cancelled_by === null ? 'This invoice has expired' : 'This invoice was cancelled',
    body: `<p>Do not pay it. Ask ${escapeHtml(companyName)} for a new one.</p>
<p>If you have already paid: the exact amount in a block before ${formatInstant(row.expires_at)} is still credited, and this page will show it. Any other payment is checked first. Keep the id of your transaction until then.</p>`,
  }),
  failed: ({ companyName }) => ({
    title: 'This invoice cannot be paid',
    body: `<p>Do not send any money. Ask ${escapeHtml(companyName)} for a new invoice. If you have already paid, tell them, and keep the id of your transaction.</p>`,
  }),
  manual_review: renderInReview,
}

function renderPending({ row, companyName, now }: PayPage): { title: string; body: string } {
  const address = row.address ?? ''
  const amount = formatMicros(row.pay_amount ?? 0n)
  const uri = `tron:${address}?amount=${amount}&token=${USDT_CONTRACT}`
  const until = row.expires_at ?? now
  return {
    title: `Pay ${amount} USDT`,
    body: `<p class="lead">This funds the card account of ${escapeHtml(companyName)}.</p>
<p><span class="left" id="left" data-ms="${until.getTime() - now.getTime()}">${timeLeft(until, now)}</span>: the payment must be in a block before ${formatInstant(until)}.</p>
<div class="columns"><div>
${field({ id: 'amount', label: 'Exact amount', value: amount, unit: ' USDT', copied: 'Amount copied.' })}
<p class="hint">Send exactly this amount, to the last digit, in one payment: the digits identify your payment. If your exchange deducts a fee, this amount must still arrive.</p></div>
${field({ id: 'address', label: 'Address', value: address, unit: '', copied: 'Address copied.' })}
<p class="hint">After pasting, compare the first and last characters.</p></div></div>
<div class="code">${codeOf(uri)}<p class="hint">Address and amount, for wallets that scan QR codes</p></div>
<div class="rules"><ul><li><strong>USDT on TRON (TRC-20) only.</strong> USDT on another network, or another coin, is lost.</li>
<li>You also need TRX in your wallet for the network fee.</li>
<li>This page shows the payment once the network has confirmed it, usually a minute or two after you send it.</li></ul></div></div>`,
  }
}

/** The caller adds its hint and the closing tag. The button shows only where the script runs. */
function field(shown: { id: string; label: string; value: string; unit: string; copied: string }): string {
  const { id, label, value, unit, copied } = shown
  return `<div class="field"><h2 id="${id}-label">${label}</h2><div class="value"><output id="${id}" aria-labelledby="${id}-label" data-value="${value}">${value}${unit}</output>
<button type="button" hidden data-copy="${id}" data-copied="${copied}">Copy ${label === 'Address' ? 'address' : 'amount'}</button></div>`
}

function renderInReview({ row, companyName }: PayPage): { title: string; body: string } {
  if (row.received === null) {
    return {
      title: 'This invoice is being checked',
      body: `<p>Do not send any money. It is being checked whether the invoice was set up. Ask ${escapeHtml(companyName)} what to do next.</p>`,
    }
  }
  const wanted = row.pay_amount === null ? '' : ` instead of ${formatMicros(row.pay_amount)}`
  const late = row.reasons.includes('paid_late') ? ' It arrived too late.' : ''
  const several = row.reasons.includes('multiple_payments') ? ' It arrived in more than one payment.' : ''
  const isExact = row.received === row.pay_amount
  return {
    title: 'Your payment is being checked',
    body: `<p>${formatMicros(row.received)} USDT arrived${isExact ? '' : wanted}.${late}${several}</p>
<p>Do not pay again. A person checks it and decides what is credited, and this page will show the result. Keep the id of your transaction, and ask ${escapeHtml(companyName)} if you have questions.</p>`,
  }
}

export function timeLeft(until: Date, now: Date): string {
  const minutes = Math.floor((until.getTime() - now.getTime()) / 60_000)
  if (minutes < 1) return 'Less than a minute left'
  return minutes === 1 ? '1 minute left' : `${minutes} minutes left`
}

const INSTANT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

function formatInstant(at: Date | null): string {
  return at === null ? 'its deadline' : `<time datetime="${at.toISOString()}">${INSTANT.format(at)} UTC</time>`
}
