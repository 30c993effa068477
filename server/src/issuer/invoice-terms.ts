// The terms of funding invoices, which every issuer in this project follows.

/** Time to open a wallet and for the network to confirm. An issuer may give another one. */
export const INVOICE_LIFETIME_MS = 60 * 60_000
/** An exact amount is not given out again on its address until this long after the invoice expired. */
export const PAY_AMOUNT_QUARANTINE_MS = 24 * 3_600_000
