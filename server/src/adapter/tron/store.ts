// Stores blocks in one transaction: the transfers that concern our addresses, the events about payments, and the new end of the walk. The
// process may die anywhere: either all of it is there, or none.
import type { Db } from '../../db/pool.ts'
import { invariant, must } from '../../lib/invariant.ts'
import { findAccount, formatTronAddress } from '../../tron/address.ts'
import { attribute, type InvoiceSpan, isDust } from './attribute.ts'
import type { SolidBlock, Transfer } from './block.ts'
import { type AddEvent, settledEvent } from './events.ts'
import {
  addDust,
  type DustRow,
  type InvoiceRow,
  insertTransfers,
  listAddresses,
  listInvoicesOf,
  lockChain,
  type NewTransferRow,
  updateChain,
} from './queries.ts'

/** A transfer that concerns us, with the accounts as addresses. */
interface Ours extends Transfer {
  readonly block: SolidBlock
  readonly isFromOurs: boolean
  readonly isToOurs: boolean
}

export interface Stored {
  readonly payments: number
  /** Transfers that a person has to look at. */
  readonly open: number
}

/**
 * Returns undefined if the walk is no longer where `after` says, because another process stored the blocks. The blocks follow each
 * other, and the first one follows `after`: whoever read them has checked that.
 */
export async function storeBlocks(
  tx: Db,
  after: { readonly height: number; readonly id: string },
  blocks: readonly SolidBlock[],
  addEvent: AddEvent,
): Promise<Stored | undefined> {
  const last = must(blocks.at(-1))
  const chain = must(await lockChain(tx))
  if (Number(chain.height) !== after.height || chain.block_id !== after.id) return undefined
  invariant(last.height === after.height + blocks.length, 'the blocks have no gap')
  const ours = await findOurs(tx, blocks)
  const dust = ours.filter(({ amount }) => isDust(amount))
  if (dust.length > 0) await addDust(tx, sumDust(dust))
  const transfers = ours.filter(({ amount }) => !isDust(amount))
  const stored = transfers.length === 0 ? { payments: 0, open: 0 } : await storeTransfers(tx, transfers, addEvent)
  await updateChain(tx, { height: BigInt(last.height), id: last.id, time: last.time })
  return stored
}

/** The addresses are read in the transaction, so that one that was given out just before the blocks were read is known. */
async function findOurs(tx: Db, blocks: readonly SolidBlock[]): Promise<Ours[]> {
  if (blocks.every((block) => block.transfers.length === 0)) return []
  const accounts = new Set((await listAddresses(tx)).map(({ address }) => toHex(must(findAccount(address)))))
  return blocks.flatMap((block) =>
    block.transfers
      .filter(({ from, to }) => accounts.has(from) || accounts.has(to))
      .map((transfer) => ({
        ...transfer,
        block,
        isFromOurs: accounts.has(transfer.from),
        isToOurs: accounts.has(transfer.to),
        from: toAddress(transfer.from),
        to: toAddress(transfer.to),
      })),
  )
}

async function storeTransfers(tx: Db, transfers: readonly Ours[], addEvent: AddEvent): Promise<Stored> {
  const times = transfers.map(({ block }) => block.time.getTime())
  const addresses = [...new Set(transfers.filter(({ isToOurs }) => isToOurs).map(({ to }) => to))]
  const range = { from: new Date(Math.min(...times)), until: new Date(Math.max(...times)) }
  const spans = spansByAddress(await listInvoicesOf(tx, addresses, range))
  const rows: NewTransferRow[] = []
  const events: Parameters<AddEvent>[1][] = []
  for (const transfer of transfers) {
    const { block, to } = transfer
    const decision = attribute({ ...transfer, time: block.time }, spans.get(to) ?? [])
    if (!transfer.isToOurs) rows.push({ ...toRow(transfer), state: 'out', cause: null, token: null })
    else if (decision.kind === 'none')
      rows.push({ ...toRow(transfer), state: 'open', cause: decision.cause, token: null })
    else {
      rows.push({ ...toRow(transfer), state: 'attributed', cause: null, token: decision.invoice.token })
      events.push(settledEvent(decision.invoice, { ...transfer, time: block.time }))
    }
  }
  await insertTransfers(tx, rows)
  for (const event of events) await addEvent(tx, event)
  return { payments: events.length, open: rows.filter(({ state }) => state === 'open').length }
}

function spansByAddress(rows: readonly InvoiceRow[]): Map<string, InvoiceSpan[]> {
  const spans = new Map<string, InvoiceSpan[]>()
  for (const { token, company_id, address, created_at, free_at } of rows) {
    const span = { token, companyId: company_id, createdAt: created_at, freeAt: free_at }
    spans.set(address, [...(spans.get(address) ?? []), span])
  }
  return spans
}

function toRow({ paymentId, from, to, amount, block }: Ours) {
  return {
    payment_id: paymentId,
    height: BigInt(block.height),
    block_time: block.time,
    from_address: from,
    to_address: to,
    amount,
  }
}

function sumDust(dust: readonly Ours[]): DustRow[] {
  const sums = new Map<string, { inCount: number; inAmount: bigint; outCount: number; outAmount: bigint }>()
  const sumOf = (address: string) => {
    const sum = sums.get(address) ?? { inCount: 0, inAmount: 0n, outCount: 0, outAmount: 0n }
    sums.set(address, sum)
    return sum
  }
  for (const { from, to, amount, isFromOurs, isToOurs } of dust) {
    if (isToOurs) {
      const sum = sumOf(to)
      sum.inCount += 1
      sum.inAmount += amount
    }
    if (isFromOurs) {
      const sum = sumOf(from)
      sum.outCount += 1
      sum.outAmount += amount
    }
  }
  return [...sums].map(([address, { inCount, inAmount, outCount, outAmount }]) => ({
    address,
    in_count: inCount,
    in_amount: inAmount.toString(),
    out_count: outCount,
    out_amount: outAmount.toString(),
  }))
}

function toHex(account: Uint8Array): string {
  return Buffer.from(account).toString('hex')
}

function toAddress(account: string): string {
  return formatTronAddress(Buffer.from(account, 'hex'))
}
