// The simulated TRON network: blocks, the transactions in them, and which blocks are solid. It is kept in memory, and the same calls always
// give the same chain.
import { createHash } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import { must } from '../../../lib/invariant.ts'
import { makeTransaction, type NewTransaction, type Transaction } from './transactions.ts'

export interface Block {
  readonly height: number
  readonly id: string
  readonly parentId: string
  readonly timeMs: number
  readonly transactions: readonly Transaction[]
}

/** A block comes every three seconds. */
export const BLOCK_MS = 3_000
/** 19 of 27 witnesses have to build on a block before it is solid. */
export const SOLID_LAG = 18

export interface Chain {
  readonly token: string
  readonly genesisId: string
  /** Returns the id of the transaction, which the next block has. */
  send(transaction: NewTransaction): string
  /** The first block has what was sent. Returns the last one. */
  mine(count?: number): Block
  head(): Block
  /** The newest solid height. */
  solidHeight(): number
  /** While it is held, no further block becomes solid. */
  holdSolidification(isHeld: boolean): void
  find(height: number): Block | undefined
  /** What an account has of the token up to this height. It may pay without having been paid. */
  balanceAt(account: string, height: number): bigint
}

export interface ChainOptions {
  readonly clock: Clock
  /** The contract of the token: twenty bytes in hex. */
  readonly token: string
  readonly solidLag?: number
  /** Networks with other names have other blocks. */
  readonly name?: string
}

export function createChain({ clock, token, solidLag = SOLID_LAG, name = 'simulated' }: ChainOptions): Chain {
  const start = Math.floor(clock.now().getTime() / BLOCK_MS) * BLOCK_MS
  const blocks: Block[] = [makeBlock(name, undefined, start, [])]
  const changes = new Map<string, { height: number; change: bigint }[]>()
  let pending: Transaction[] = []
  let sent = 0
  let heldAt: number | undefined

  const record = (account: string, height: number, change: bigint) => {
    const list = changes.get(account) ?? []
    list.push({ height, change })
    changes.set(account, list)
  }
  const head = () => must(blocks.at(-1))
  const solidHeight = () => heldAt ?? Math.max(0, head().height - solidLag)
  const mineOne = () => {
    // A block has what was sent before its time.
    const now = Math.ceil(clock.now().getTime() / BLOCK_MS) * BLOCK_MS
    const block = makeBlock(name, head(), Math.max(now, head().timeMs + BLOCK_MS), pending)
    pending = []
    blocks.push(block)
    for (const { address, from, to, amount } of block.transactions.flatMap(({ logs }) => logs)) {
      if (address !== token) continue
      record(from, block.height, -amount)
      record(to, block.height, amount)
    }
  }
  return {
    token,
    genesisId: must(blocks[0]).id,
    send(wanted) {
      sent += 1
      const transaction = makeTransaction(token, sent, wanted)
      pending.push(transaction)
      return transaction.id
    },
    mine(count = 1) {
      for (let mined = 0; mined < count; mined += 1) mineOne()
      return head()
    },
    head,
    solidHeight,
    holdSolidification(isHeld) {
      heldAt = isHeld ? solidHeight() : undefined
    },
    find: (height) => blocks[height],
    balanceAt(account, height) {
      const list = changes.get(account) ?? []
      const sum = list.filter((entry) => entry.height <= height).reduce((total, { change }) => total + change, 0n)
      return sum < 0n ? 0n : sum
    },
  }
}

function makeBlock(
  name: string,
  parent: Block | undefined,
  timeMs: number,
  transactions: readonly Transaction[],
): Block {
  const height = parent === undefined ? 0 : parent.height + 1
  const parentId = parent?.id ?? digest(`${name} before the first block`)
  const id = blockId(height, `${name} ${parentId} ${timeMs} ${transactions.map((one) => one.id).join(' ')}`)
  return { height, id, parentId, timeMs, transactions }
}

/** The first eight bytes of a block's id are its height. */
export function blockId(height: number, content: string): string {
  return height.toString(16).padStart(16, '0') + digest(content).slice(16)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
