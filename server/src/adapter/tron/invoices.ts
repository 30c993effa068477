// Gives each invoice an address of its own and an exact amount, once per token. An address goes to the next invoice when the quarantine of
// the last one has ended.
import { randomInt } from 'node:crypto'
import type { Db } from '../../db/pool.ts'
import { INVOICE_LIFETIME_MS, PAY_AMOUNT_QUARANTINE_MS } from '../../issuer/invoice-terms.ts'
import type { Cents } from '../../lib/money.ts'
import { type Micros, micros, microsOfCents } from '../../tron/usdt.ts'
import { countAddresses, createTronInvoice, insertAddresses } from './queries.ts'
import type { Wallet } from './xpub.ts'

/**
 * TRON addresses that invoices share. At 25 hours per invoice this is 200 new invoices an hour. Each address costs one call when the books are compared with the chain, and
 * there are 9,999 exact amounts for one deposit, so that with fewer addresses one is always free.
 */
export const ADDRESSES_MAX = 5_000
/** How many addresses are watched anew at once, before they are given out. Wallets look as far ahead for money. */
export const ADDRESSES_AHEAD = 20
const TAILS = 9_999

export interface WantedInvoice {
  readonly token: string
  readonly companyId: string
  readonly amount: Cents
}

export type InvoiceCreation =
  | {
      readonly kind: 'created'
      readonly address: string
      readonly payAmount: Micros
      readonly expiresAt: Date
    }
  /** Every address that the adapter may use has an invoice. Nothing was stored. */
  | { readonly kind: 'no_address_free' }
  /** The token is known with another company or amount. */
  | { readonly kind: 'conflict' }

export async function createInvoice(
  db: Db,
  wallet: Wallet,
  now: Date,
  { token, companyId, amount }: WantedInvoice,
): Promise<InvoiceCreation> {
  const expiresAt = new Date(now.getTime() + INVOICE_LIFETIME_MS)
  const freeAt = new Date(expiresAt.getTime() + PAY_AMOUNT_QUARANTINE_MS)
  const deposit = microsOfCents(amount)
  const wanted = { token, companyId, deposit, firstTail: randomInt(TAILS), expiresAt, freeAt }
  // Each round watches new addresses or is the last, so there are at most as many rounds as batches of addresses.
  for (;;) {
    const row = await createTronInvoice(db, now, wanted)
    if (row === undefined) {
      if (await watchMoreAddresses(db, wallet, now)) continue
      return { kind: 'no_address_free' }
    }
    if (row.company_id !== companyId || row.deposit !== deposit) return { kind: 'conflict' }
    return { kind: 'created', address: row.address, payAmount: micros(row.pay_amount), expiresAt: row.expires_at }
  }
}

/** Adds the next addresses to those that are watched. Returns false if the limit is reached. */
export async function watchMoreAddresses(db: Db, wallet: Wallet, now: Date): Promise<boolean> {
  const first = await countAddresses(db)
  const count = Math.min(ADDRESSES_AHEAD, ADDRESSES_MAX - first)
  if (count <= 0) return false
  const rows = Array.from({ length: count }, (_, step) => ({
    index: first + step,
    address: wallet.addressAt(first + step),
  }))
  await insertAddresses(db, rows, now)
  return true
}
