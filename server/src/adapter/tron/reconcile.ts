// Compares what the contract says that our addresses have with what was recorded: what came in less what went out. It changes nothing.
import type { Db } from '../../db/pool.ts'
import { must } from '../../lib/invariant.ts'
import { findAccount } from '../../tron/address.ts'
import type { Read, TronNode } from './node.ts'
import { findChain, listBooks } from './queries.ts'

/** Addresses that are read between two looks at the head. A block comes every three seconds; ten calls take less than one. */
const ADDRESSES_AT_ONCE = 10
/** How often balances are read again because a block came meanwhile, which a slow node makes likely several times in a row. */
const TRIES_MAX = 5

export interface Difference {
  readonly index: number
  readonly address: string
  /** In micro-USDT. */
  readonly balance: bigint
  readonly books: bigint
}

export interface Reconciliation {
  /** Addresses that were compared. */
  readonly compared: number
  readonly differences: readonly Difference[]
  /** The lowest and the highest block at which balances were read; undefined if none was. */
  readonly heights: { readonly from: number; readonly until: number } | undefined
  /** The first address that could not be compared, and why. Undefined if all were. */
  readonly unread: { readonly index: number; readonly reason: string } | undefined
}

interface ReconcileDeps {
  readonly db: Db
  readonly node: TronNode
  /** Stores blocks until the walk is at the head or is hindered. */
  readonly catchUp: () => Promise<void>
}

export async function reconcile(deps: ReconcileDeps): Promise<Reconciliation> {
  const differences: Difference[] = []
  const heights: number[] = []
  let next = 0
  for (;;) {
    const part = await comparePart(deps, next)
    const range = heights.length === 0 ? undefined : { from: Math.min(...heights), until: Math.max(...heights) }
    if (part.kind === 'unread') {
      return { compared: next, differences, heights: range, unread: { index: next, reason: part.reason } }
    }
    if (part.lines.length === 0) return { compared: next, differences, heights: range, unread: undefined }
    differences.push(...part.lines.filter(({ balance, books }) => balance !== books))
    heights.push(part.height)
    next += part.lines.length
  }
}

type Part =
  | { readonly kind: 'compared'; readonly height: number; readonly lines: readonly Difference[] }
  | { readonly kind: 'unread'; readonly reason: string }

/** Balances are those of the newest block, so they count only if it is the last stored one, before and after they were read. */
async function comparePart({ db, node, catchUp }: ReconcileDeps, from: number): Promise<Part> {
  let reason = ''
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    await catchUp()
    const before = await node.readHead()
    if (before.kind !== 'read') return unread(before)
    const cursor = must(await findChain(db))
    const { height, id } = before.value
    if (Number(cursor.height) !== height || cursor.block_id !== id) {
      reason = `the walk is at block ${cursor.height} and the node at ${height}`
      continue
    }
    const books = await listBooks(db, { from, count: ADDRESSES_AT_ONCE })
    const reads = await Promise.all(books.map(({ address }) => node.readBalance(accountOf(address))))
    const failed = reads.find((read) => read.kind !== 'read')
    if (failed !== undefined) return unread(failed)
    const after = await node.readHead()
    if (after.kind !== 'read') return unread(after)
    const isMoved = after.value.id !== id || must(await findChain(db)).block_id !== id
    if (isMoved) {
      reason = 'blocks came while balances were read'
      continue
    }
    const lines = books.map((row, place) => ({
      index: row.index,
      address: row.address,
      balance: balanceOf(must(reads[place])),
      books: BigInt(row.books),
    }))
    return { kind: 'compared', height, lines }
  }
  return { kind: 'unread', reason }
}

function unread({ reason }: Exclude<Read<unknown>, { kind: 'read' }>): Part {
  return { kind: 'unread', reason }
}

function balanceOf(read: Read<bigint>): bigint {
  if (read.kind !== 'read') throw new TypeError('the balance was read')
  return read.value
}

function accountOf(address: string): string {
  return Buffer.from(must(findAccount(address))).toString('hex')
}
