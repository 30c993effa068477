// The step that moves money between the funding account and a card. Lithic keeps our token as the token of the transfer, so a transfer is
// found exactly, and is never made twice.
import { formatCents } from '../../../lib/money.ts'
import type { Action, Done, Found, Refused } from '../../provider.ts'
import { parseTransfer, type Transfer } from './answers.ts'
import { confirmRefusal, done, refuse, toFound, toSent } from '../../provider-kit/outcomes.ts'
import { type Kit, toInteger, tokenOf } from './kit.ts'

export interface TransferToMake {
  readonly requestToken: string
  readonly name: string
  /** A card or a financial account. */
  readonly from: string
  readonly to: string
  /** In cents. */
  readonly amount: bigint
}

const PATH = '/v1/book_transfers'
const REFUSALS = [400, 404]

export function transfer({ api, settings }: Kit, wanted: TransferToMake): Action {
  const { requestToken, name, from, to, amount } = wanted
  const token = tokenOf(requestToken, name)
  const lookUp = async (): Promise<Found> =>
    toFound(await api.read(`${PATH}/${token}`, parseTransfer), (made) => judge(made, token, wanted))
  return {
    type: 'action',
    name,
    shows: { token, from, to, amount: formatCents(amount) },
    isRepeatable: true,
    async send() {
      const changed = await api.change({
        method: 'POST',
        path: PATH,
        body: {
          token,
          amount: toInteger(amount),
          category: 'BALANCE_OR_FUNDING',
          type: 'ACCOUNT_TO_ACCOUNT',
          subtype: settings.transferSubtype,
          from_financial_account_token: from,
          to_financial_account_token: to,
          memo: requestToken,
        },
        refusals: REFUSALS,
        parse: parseTransfer,
      })
      return confirmRefusal(
        toSent(changed, (made) => judge(made, token, wanted)),
        lookUp,
      )
    },
    lookUp,
  }
}

/**
 * A declined transfer is final: a retry at Lithic is a transfer with another token. One that is pending, or that somebody reversed, is left
 * to a person, because the money is not where it was sent.
 */
function judge(
  made: Transfer,
  token: string,
  { from, to, amount }: TransferToMake,
): Done | Refused | { readonly kind: 'unknown'; readonly reason: string } {
  if (made.token !== token || made.from !== from || made.to !== to) {
    return { kind: 'unknown', reason: 'Lithic answered with another transfer' }
  }
  if (made.status === 'DECLINED' || made.result === 'DECLINED') {
    return made.isShortOfFunds
      ? refuse(
          'insufficient_float',
          `Lithic declined the transfer of ${formatCents(amount)}: the payer has too little.`,
        )
      : refuse('transfer_declined', `Lithic declined the transfer of ${formatCents(amount)}.`)
  }
  if (made.status === 'SETTLED' && made.settled === amount) return done({ transfer: token })
  return {
    kind: 'unknown',
    reason: `the transfer ${token} is ${made.status} with ${formatCents(made.settled)} instead of ${formatCents(amount)}`,
  }
}
