// How the reference issuer makes an invoice: an address of nobody and an exact amount. A provider of real addresses takes its place.
import type { Db } from '../../db/pool.ts'
import type { Clock } from '../../lib/clock.ts'
import { parseCents } from '../../lib/money.ts'
import { makeUnownedAddress } from '../../tron/address.ts'
import type { Micros } from '../../tron/usdt.ts'
import { micros } from '../../tron/usdt.ts'
import { INVOICE_LIFETIME_MS, PAY_AMOUNT_QUARANTINE_MS } from '../../issuer/invoice-terms.ts'
import { claimPaymentSlot } from '../../issuer/queries.ts'

export interface WantedInvoice {
  readonly token: string
  readonly companyId: string
  /** The deposit in dollars, as the request has it. */
  readonly amount: string
}

export interface MadeInvoice {
  readonly address: string
  readonly payAmount: Micros
  readonly expiresAt: Date
}

/** Returns the same for the same token, and a code if there is no address or amount to give. */
export type MakeInvoice = (wanted: WantedInvoice) => Promise<MadeInvoice | string>

const ADDRESSES = Array.from({ length: 16 }, (_, index) => makeUnownedAddress(`cardstock reference issuer ${index}`))

export function createInvoiceMaker({ db, clock }: { db: Db; clock: Clock }): MakeInvoice {
  return async ({ token, companyId, amount }) => {
    const now = clock.now()
    const expiresAt = new Date(now.getTime() + INVOICE_LIFETIME_MS)
    const slot = await claimPaymentSlot(db, { companyId, environment: 'live' }, now, {
      invoiceId: token,
      deposit: parseCents(amount),
      addresses: ADDRESSES,
      expiresAt,
      freeAt: new Date(expiresAt.getTime() + PAY_AMOUNT_QUARANTINE_MS),
    })
    if (slot === undefined || slot.address === null) return 'no_amount_free'
    return { address: slot.address, payAmount: micros(slot.pay_amount), expiresAt: slot.expires_at }
  }
}
