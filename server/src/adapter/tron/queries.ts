// All SQL of the records of USDT on TRON. Across companies: the addresses and the chain are shared by all companies that the adapter
// serves.
import type { Db } from '../../db/pool.ts'
import { fragment, sql } from '../../db/sql.ts'

export interface ChainRow {
  genesis_id: string
  contract: string
  first_address: string
  first_height: bigint
  height: bigint
  block_id: string
  block_time: Date
}

const CHAIN_COLUMNS = fragment`genesis_id, contract, first_address, first_height, height, block_id, block_time`

export function findChain(db: Db) {
  return db.find<ChainRow>(sql`select ${CHAIN_COLUMNS} from issuer_adapter.tron_chain`)
}

/** Changes nothing if the chain is there: the walk never starts anew. */
export function insertChain(db: Db, row: Omit<ChainRow, 'first_height'> & { created_at: Date }) {
  return db.run(sql`
    insert into issuer_adapter.tron_chain
      (genesis_id, contract, first_address, first_height, height, block_id, block_time, created_at)
    values (${row.genesis_id}, ${row.contract}, ${row.first_address}, ${row.height}, ${row.height}, ${row.block_id},
            ${row.block_time}, ${row.created_at})
    on conflict (is_only) do nothing`)
}

/** Holds the row until the transaction ends, so that only one process stores blocks at a time. */
export function lockChain(tx: Db) {
  return tx.find<ChainRow>(sql`select ${CHAIN_COLUMNS} from issuer_adapter.tron_chain for update`)
}

export function updateChain(tx: Db, block: { height: bigint; id: string; time: Date }) {
  return tx.run(sql`
    update issuer_adapter.tron_chain set height = ${block.height}, block_id = ${block.id}, block_time = ${block.time}`)
}

/** Adds nothing while an address is free: another process may have added some just now. */
export function insertAddresses(db: Db, rows: readonly { index: number; address: string }[], now: Date) {
  return db.run(sql`
    insert into issuer_adapter.tron_address (index, address, created_at)
    select a.index, a.address, ${now}
    from unnest(${rows.map((row) => row.index)}::integer[], ${rows.map((row) => row.address)}::text[]) as a (index, address)
    where not exists (select 1 from issuer_adapter.tron_address f where f.free_at <= ${now})
    on conflict do nothing`)
}

export async function countAddresses(db: Db): Promise<number> {
  const row = await db.find<{ count: number }>(sql`select count(*)::integer as count from issuer_adapter.tron_address`)
  return row?.count ?? 0
}

export interface InvoiceRow {
  token: string
  company_id: string
  deposit: bigint
  address: string
  pay_amount: bigint
  created_at: Date
  expires_at: Date
  free_at: Date
}

const INVOICE_COLUMNS = fragment`token, company_id, deposit, address, pay_amount, created_at, expires_at, free_at`

/** Returns undefined if no address is free. Returns the invoice of the token if it is known. */
export function createTronInvoice(
  db: Db,
  now: Date,
  wanted: { token: string; companyId: string; deposit: bigint; firstTail: number; expiresAt: Date; freeAt: Date },
) {
  return db.find<InvoiceRow>(sql`
    select ${INVOICE_COLUMNS} from issuer_adapter.create_tron_invoice(
      ${wanted.token}, ${wanted.companyId}, ${wanted.deposit}, ${wanted.firstTail}, ${now}, ${wanted.expiresAt}, ${wanted.freeAt})`)
}

export function findInvoice(db: Db, token: string) {
  return db.find<InvoiceRow>(sql`
    select ${INVOICE_COLUMNS} from issuer_adapter.tron_invoice where token = ${token}`)
}

/** The invoices that have one of the addresses at some time of the range. */
export function listInvoicesOf(tx: Db, addresses: readonly string[], range: { from: Date; until: Date }) {
  return tx.many<InvoiceRow>(sql`
    select ${INVOICE_COLUMNS} from issuer_adapter.tron_invoice
    where address = any(${addresses}) and created_at <= ${range.until} and free_at > ${range.from}
    order by address, created_at`)
}

/** What each invoice received so far, dust not included. */
export function listReceived(db: Db, tokens: readonly string[]) {
  return db.many<{ token: string; received: string }>(sql`
    select token, sum(amount)::text as received from issuer_adapter.tron_transfer
    where token = any(${tokens}::uuid[]) group by token`)
}

export interface NewTransferRow {
  payment_id: string
  height: bigint
  block_time: Date
  from_address: string
  to_address: string
  amount: bigint
  state: 'out' | 'attributed' | 'open'
  cause: 'no_invoice' | 'own_transfer' | 'too_large' | null
  token: string | null
}

export function insertTransfers(tx: Db, rows: readonly NewTransferRow[]) {
  const texts = rows.map((row) => ({ ...row, height: row.height.toString(), amount: row.amount.toString() }))
  return tx.run(sql`
    insert into issuer_adapter.tron_transfer
      (payment_id, height, block_time, from_address, to_address, amount, state, cause, token)
    select payment_id, height, block_time, from_address, to_address, amount, state, cause, token
    from json_to_recordset(${JSON.stringify(texts)}::json) as t (
      payment_id text, height bigint, block_time timestamptz, from_address text, to_address text, amount numeric,
      state text, cause text, token uuid)`)
}

export interface DustRow {
  address: string
  in_count: number
  in_amount: string
  out_count: number
  out_amount: string
}

export function addDust(tx: Db, rows: readonly DustRow[]) {
  return tx.run(sql`
    update issuer_adapter.tron_address a set
      dust_in_count = a.dust_in_count + d.in_count, dust_in_amount = a.dust_in_amount + d.in_amount,
      dust_out_count = a.dust_out_count + d.out_count, dust_out_amount = a.dust_out_amount + d.out_amount
    from json_to_recordset(${JSON.stringify(rows)}::json) as d (
      address text, in_count bigint, in_amount numeric, out_count bigint, out_amount numeric)
    where a.address = d.address`)
}

export function listAddresses(db: Db) {
  return db.many<{ index: number; address: string }>(sql`
    select index, address from issuer_adapter.tron_address order by index`)
}

export interface TransferRow {
  payment_id: string
  height: bigint
  block_time: Date
  from_address: string
  to_address: string
  /** In micro-USDT. It may be larger than a bigint column, so it is a text. */
  amount: string
  state: 'out' | 'attributed' | 'open' | 'assigned' | 'dismissed'
  cause: NewTransferRow['cause']
  token: string | null
  decided_by: string | null
  decided_at: Date | null
  reason: string | null
}

const TRANSFER_COLUMNS = fragment`
  payment_id, height, block_time, from_address, to_address, amount::text as amount, state, cause, token, decided_by, decided_at, reason`

export function findTransfer(db: Db, paymentId: string) {
  return db.find<TransferRow>(sql`
    select ${TRANSFER_COLUMNS} from issuer_adapter.tron_transfer where payment_id = ${paymentId}`)
}

export function listOpenTransfers(db: Db, after: { height: bigint; paymentId: string }, limit: number) {
  return db.many<TransferRow>(sql`
    select ${TRANSFER_COLUMNS} from issuer_adapter.tron_transfer
    where state = 'open' and (height, payment_id) > (${after.height}, ${after.paymentId})
    order by height, payment_id limit ${limit}`)
}

interface DecisionRow {
  paymentId: string
  by: string
  at: Date
  reason: string
}

/** Returns undefined if the transfer is not open: the first decision stays. */
export function assignTransfer(tx: Db, decision: DecisionRow & { token: string }) {
  return tx.find<TransferRow>(sql`
    update issuer_adapter.tron_transfer
    set state = 'assigned', token = ${decision.token}, decided_by = ${decision.by}, decided_at = ${decision.at},
        reason = ${decision.reason}
    where payment_id = ${decision.paymentId} and state = 'open' and cause <> 'too_large'
    returning ${TRANSFER_COLUMNS}`)
}

/** Returns undefined if the transfer is not open: the first decision stays. */
export function dismissTransfer(db: Db, decision: DecisionRow) {
  return db.find<TransferRow>(sql`
    update issuer_adapter.tron_transfer
    set state = 'dismissed', decided_by = ${decision.by}, decided_at = ${decision.at}, reason = ${decision.reason}
    where payment_id = ${decision.paymentId} and state = 'open'
    returning ${TRANSFER_COLUMNS}`)
}

/** What each address should have: what it had before it was watched, and came in, less what went out. */
export function listBooks(db: Db, indexes: { from: number; count: number }) {
  return db.many<{ index: number; address: string; books: string }>(sql`
    select a.index, a.address,
           (coalesce(a.opening_amount, 0) + a.dust_in_amount - a.dust_out_amount
            + coalesce((select sum(t.amount) from issuer_adapter.tron_transfer t where t.to_address = a.address), 0)
            - coalesce((select sum(t.amount) from issuer_adapter.tron_transfer t where t.from_address = a.address), 0))::text as books
    from issuer_adapter.tron_address a
    where a.index >= ${indexes.from} and a.index < ${indexes.from}::integer + ${indexes.count}::integer
    order by a.index`)
}

/** In micro-USDT: what is on all addresses by the books, and how many transfers wait for a decision. */
export function sumBooks(db: Db) {
  return db.find<{ received: string; open: number }>(sql`
    select ((select coalesce(sum(coalesce(a.opening_amount, 0) + a.dust_in_amount - a.dust_out_amount), 0) from issuer_adapter.tron_address a)
            + (select coalesce(sum(t.amount), 0) from issuer_adapter.tron_transfer t
               where exists (select 1 from issuer_adapter.tron_address a where a.address = t.to_address))
            - (select coalesce(sum(t.amount), 0) from issuer_adapter.tron_transfer t
               where exists (select 1 from issuer_adapter.tron_address a where a.address = t.from_address)))::text as received,
           (select count(*)::integer from issuer_adapter.tron_transfer where state = 'open') as open`)
}

/** Returns undefined if it was stated before, or if the address is not watched. */
export function updateOpening(
  db: Db,
  opening: { address: string; amount: bigint; by: string; at: Date; reason: string },
) {
  return db.find<{ address: string }>(sql`
    update issuer_adapter.tron_address
    set opening_amount = ${opening.amount}, opening_by = ${opening.by}, opening_at = ${opening.at}, opening_reason = ${opening.reason}
    where address = ${opening.address} and opening_amount is null
    returning address`)
}
