// Checks the key and the settings against Lithic when the adapter starts. It only reads.
import { toCheckError } from '../../provider-kit/check.ts'
import { pageOf } from '../../provider-kit/parse.ts'
import { parseAnything, parseAvailable, parseCard } from './answers.ts'
import { CARDS_PATH } from './cards.ts'
import type { Kit } from './kit.ts'

export async function checkLithic({ api, settings }: Kit): Promise<void> {
  const { url, mode, fundingAccount } = settings
  const status = await api.read('/v1/status', parseAnything)
  if (status.kind !== 'read') throw toCheckError(status, `Lithic is not at ${url}: ${status.reason}. Check LITHIC_URL.`)
  const cards = await api.read(CARDS_PATH, pageOf(parseCard), { page_size: 1 })
  if (cards.kind !== 'read') {
    const isRefused = cards.kind === 'unknown' && (cards.status === 401 || cards.status === 403)
    throw toCheckError(
      cards,
      isRefused
        ? `Lithic does not accept LITHIC_API_KEY at ${url}. A key of the sandbox works in the sandbox only, and one of production in production only.`
        : `Lithic's cards cannot be read: ${cards.reason}.`,
    )
  }
  if (fundingAccount === undefined) return
  const balance = await api.read(balancesPathOf(fundingAccount), parseAvailable)
  if (balance.kind === 'read') return
  throw toCheckError(
    balance,
    balance.kind === 'absent'
      ? 'Lithic does not know the financial account in LITHIC_FUNDING_ACCOUNT. Take its token from the financial accounts of your programme.'
      : `The balance of LITHIC_FUNDING_ACCOUNT cannot be read (${balance.reason})${mode === 'balance' ? ', so no card could be paid for' : ''}.`,
  )
}

export function balancesPathOf(account: string): string {
  return `/v1/financial_accounts/${encodeURIComponent(account)}/balances`
}
