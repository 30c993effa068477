// Puts a block and the infos of its transactions together, and finds the transfers of one token in them. Pure: both answers have been
// parsed.
import type { BlockAnswer, InfoAnswer, LogAnswer } from './answers.ts'
import { MalformedAnswer } from './answers.ts'

/** A log of a transfer of the token. Accounts are twenty bytes in hex. */
export interface Transfer {
  /** `<transaction>:<position of the log>`. There is no other index, and one transaction may have several transfers. */
  readonly paymentId: string
  readonly from: string
  readonly to: string
  /** As the log says. The call data may say more, when the token keeps a fee. */
  readonly amount: bigint
}

export interface SolidBlock {
  readonly height: number
  readonly id: string
  readonly parentId: string
  readonly time: Date
  /** All transfers of the token, whomever they concern. */
  readonly transfers: readonly Transfer[]
}

/** `Transfer(address,address,uint256)` */
const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const WORD_DIGITS = 64
const ACCOUNT_DIGITS = 40

/** Returns the block, or why the two answers do not belong together: then nothing is known about the block. */
export function joinBlock(
  block: BlockAnswer,
  infos: readonly InfoAnswer[],
  contract: string,
): SolidBlock | { readonly flaw: string } {
  const { height, transactionIds } = block
  if (infos.length !== transactionIds.length) {
    return { flaw: `block ${height} has ${transactionIds.length} transactions but ${infos.length} infos` }
  }
  const known = new Set(transactionIds)
  const foreign = infos.find((info) => info.height !== height || !known.delete(info.id))
  if (foreign !== undefined) return { flaw: `block ${height} has an info of another block or transaction` }
  return {
    height,
    id: block.id,
    parentId: block.parentId,
    time: new Date(block.timeMs),
    transfers: infos.flatMap((info) => transfersIn(info, contract)),
  }
}

/** `contract` is twenty bytes in hex. A failed transaction moved nothing, whatever else it says. */
export function transfersIn(info: InfoAnswer, contract: string): Transfer[] {
  if (!info.isSuccessful) return []
  return info.logs.flatMap((log, position) =>
    log.address === contract && log.topics[0] === TRANSFER_TOPIC
      ? [{ paymentId: `${info.id}:${position}`, ...parseTransfer(log) }]
      : [],
  )
}

function parseTransfer({ topics, data }: LogAnswer): Omit<Transfer, 'paymentId'> {
  const [, from, to] = topics
  if (from === undefined || to === undefined || topics.length !== 3 || data.length !== WORD_DIGITS) {
    throw new MalformedAnswer('a Transfer log of the token has not two accounts and one amount')
  }
  // An account is the last twenty bytes of the word.
  return { from: from.slice(-ACCOUNT_DIGITS), to: to.slice(-ACCOUNT_DIGITS), amount: BigInt(`0x${data}`) }
}

/** Returns how two nodes' answers about one height differ, or undefined if they say the same. */
export function findDifference(one: SolidBlock, other: SolidBlock): string | undefined {
  if (one.id !== other.id) return `different blocks at height ${one.height}: ${one.id} and ${other.id}`
  if (one.parentId !== other.parentId || one.time.getTime() !== other.time.getTime()) {
    return `different headers of block ${one.height}`
  }
  const line = ({ paymentId, from, to, amount }: Transfer) => `${paymentId} ${from} ${to} ${amount}`
  const others = new Set(other.transfers.map(line))
  const lines = one.transfers.map(line)
  const missing = lines.filter((text) => !others.delete(text))
  if (missing.length === 0 && others.size === 0) return undefined
  return `different transfers in block ${one.height}: ${missing.length + others.size} that only one of them has`
}
