// The transactions that the simulated TRON network can have, with the logs that a real one writes for them. Pure.
import { createHash } from 'node:crypto'

export const TRANSACTION_KINDS = [
  /** An ordinary transfer of the token. */
  'transfer',
  /** The token keeps 1 % of the call's amount: two logs, and the payee gets less than the call data says. */
  'with_fee',
  /** The contract refused it: no log. */
  'reverted',
  /** It ran out of time: no log. */
  'out_of_time',
  /** A transfer of another token, which differs only in the address of the log. */
  'fake_token',
  /** A transferFrom of zero, which anybody may make in anybody's name. */
  'zero',
  /** Another contract pays out: the call data names no transfer. */
  'payout',
  /** One transaction with two transfers to the same payee. */
  'twice',
  /** A transfer of TRX, which calls no contract. */
  'trx',
] as const
export type TransactionKind = (typeof TRANSACTION_KINDS)[number]

/** Accounts are twenty bytes in hex. */
export interface NewTransaction {
  readonly kind: TransactionKind
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

export interface TokenLog {
  readonly address: string
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

export interface Transaction {
  readonly id: string
  readonly from: string
  /** The contract that is called; undefined for TRX. */
  readonly called: string | undefined
  readonly callData: string
  readonly result: 'SUCCESS' | 'REVERT' | 'OUT_OF_TIME' | undefined
  readonly logs: readonly TokenLog[]
}

/** transfer(address,uint256) and transferFrom(address,address,uint256) */
const TRANSFER = 'a9059cbb'
const TRANSFER_FROM = '23b872dd'
const PAY_OUT = 'c290d691'
const FEE_PERCENT = 1n
export const FAKE_TOKEN = 'be9b8010c659097ddb7f0169a2ce6e17921883c4'
const PAYER_CONTRACT = 'c4194924b16eed2a0e4f51e4a52aa26430eb5486'
const FEE_COLLECTOR = '14fe1b84ce925f55f4e3aea6df8a2d5cdab5f13b'

/** `number` makes ids unique and the same in every run. */
export function makeTransaction(token: string, number: number, wanted: NewTransaction): Transaction {
  const { kind, from, to, amount } = wanted
  const id = createHash('sha256').update(`transaction ${number} ${kind} ${from} ${to} ${amount}`).digest('hex')
  const log = (sent: bigint, receiver = to, address = token): TokenLog => ({
    address,
    from,
    to: receiver,
    amount: sent,
  })
  const call = {
    id,
    from,
    called: token,
    callData: `${TRANSFER}${word(to)}${word(amount)}`,
    result: 'SUCCESS',
  } as const
  switch (kind) {
    case 'transfer':
      return { ...call, logs: [log(amount)] }
    case 'with_fee': {
      const fee = (amount * FEE_PERCENT) / 100n
      return { ...call, logs: [log(fee, FEE_COLLECTOR), log(amount - fee)] }
    }
    case 'reverted':
      return { ...call, result: 'REVERT', logs: [] }
    case 'out_of_time':
      return { ...call, result: 'OUT_OF_TIME', logs: [] }
    case 'fake_token':
      return { ...call, called: FAKE_TOKEN, logs: [log(amount, to, FAKE_TOKEN)] }
    case 'zero':
      return { ...call, callData: `${TRANSFER_FROM}${word(from)}${word(to)}${word(0n)}`, logs: [log(0n)] }
    case 'payout':
      return { ...call, called: PAYER_CONTRACT, callData: `${PAY_OUT}${word(1n)}`, logs: [log(amount)] }
    case 'twice':
      return { ...call, called: PAYER_CONTRACT, callData: PAY_OUT, logs: [log(amount), log(amount)] }
    case 'trx':
      return { ...call, called: undefined, callData: '', result: undefined, logs: [] }
  }
}

/** A value as a word of 32 bytes in hex. */
export function word(value: string | bigint): string {
  return (typeof value === 'bigint' ? value.toString(16) : value).padStart(64, '0')
}
