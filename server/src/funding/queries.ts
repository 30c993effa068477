// All SQL on funding invoices, their payments and the reviews of payments, except the company's list (lists/queries.ts).
import type { Db } from '../db/pool.ts'
import { planEachTime, sql } from '../db/sql.ts'
import type { Claimed } from '../issuer/requests/queries.ts'
import type { ReviewSlice } from '../lib/slice.ts'
import type { Environment, Scope } from '../lib/scope.ts'
import type { Creation } from './rules.ts'
import type { Invoice } from './schema.ts'
import type { InvoiceStatus, ReviewReason } from './states.ts'

export interface InvoiceRow {
  company_id: string
  environment: Environment
  id: string
  status: InvoiceStatus
  requested: bigint
  deposit: bigint
  fee: bigint
  address: string | null
  pay_amount: bigint | null
  expires_at: Date | null
  received: bigint | null
  reasons: ReviewReason[]
  failure_code: string | null
  failure_message: string | null
  created_at: Date
  status_at: Date
  look_up_count: number
  created_by: string | null
  cancelled_by: string | null
}

export interface NewInvoiceRow {
  id: string
  idempotencyKey: string
  digest: string
  amount: bigint
  fee: bigint
  leaseUntil: Date
  linkDigest: string
  /** Who asks for it, as access/creator.ts writes it. */
  createdBy?: string | undefined
}

export interface BeginRow {
  verdict: 'begun' | 'replay' | 'conflict' | 'unresolved'
  id: string
  status: InvoiceStatus
  expires_at: Date | null
}

export function beginInvoice(db: Db, scope: Scope, now: Date, invoice: NewInvoiceRow) {
  return db.find<BeginRow>(sql`
    select verdict, id, status, expires_at from begin_invoice(
      ${scope.companyId}, ${now}, ${scope.environment}, ${invoice.id}, ${invoice.idempotencyKey}, ${invoice.digest}, ${invoice.amount},
      ${invoice.fee}, ${invoice.leaseUntil}, ${invoice.linkDigest}, ${invoice.createdBy ?? null})`)
}

export function settleInvoice(db: Db, scope: Scope, id: string, now: Date, creation: Creation, payUrl: string) {
  const instructions = creation.status === 'pending' ? creation : undefined
  const failure = creation.status === 'failed' ? creation.failure : undefined
  const { dueAt, lookUps } = creation.status === 'creating' ? creation : { dueAt: null, lookUps: null }
  return db.find<{ settled: boolean }>(sql`
    select settle_invoice(
      ${scope.companyId}, ${now}, ${scope.environment}, ${id}, ${creation.status}, ${instructions?.address ?? null},
      ${instructions?.payAmount ?? null}, ${instructions?.expiresAt ?? null}, ${instructions?.freeAt ?? null},
      ${failure?.code ?? null}, ${failure?.message ?? null}, ${dueAt}, ${lookUps}, ${payUrl}) as settled`)
}

/** Returns the first answer to the request that made this invoice, or the invoice as it is if there is none yet. */
export function findAnswer(db: Db, scope: Scope, id: string, payUrl: string) {
  return db.find<{ status: InvoiceStatus; look_up_count: number; is_first: boolean; answer: Invoice }>(sql`
    select i.status, i.look_up_count, i.first_answer is not null as is_first,
           coalesce(i.first_answer, invoice_json(row(i.*)::invoice, ${payUrl})) as answer
    from invoice i
    where i.company_id = ${scope.companyId} and i.environment = ${scope.environment} and i.id = ${id}`)
}

/** Stores the invoice as it is as the first answer, unless there is one, and returns the first answer. */
export function settleFirstAnswer(db: Db, scope: Scope, id: string, payUrl: string) {
  return db.find<{ first_answer: Invoice }>(sql`
    select store_first_answer(${scope.companyId}, ${scope.environment}, ${id}, ${payUrl}) as first_answer`)
}

export function findInvoiceByKey(db: Db, scope: Scope, idempotencyKey: string) {
  return db.find<{ id: string; request_digest: Buffer }>(sql`
    select id, request_digest from invoice
    where company_id = ${scope.companyId} and environment = ${scope.environment} and idempotency_key = ${idempotencyKey}`)
}

export function findInvoice(db: Db, scope: Scope, id: string) {
  return db.find<InvoiceRow>(sql`
    select company_id, environment, id, status, requested, deposit, fee, address, pay_amount, expires_at, received, reasons,
           failure_code, failure_message, created_at, status_at, look_up_count, created_by, cancelled_by
    from invoice where company_id = ${scope.companyId} and environment = ${scope.environment} and id = ${id}`)
}

export interface PayLinkRow {
  digest: Buffer
  company_id: string
  environment: Environment
  invoice_id: string
  company_name: string
}

/** Across companies: a pay link names its invoice, and the caller does not know the company. */
export function findPayLinks(db: Db, digests: readonly Buffer[]) {
  return db.many<PayLinkRow>(sql`
    select l.digest, l.company_id, l.environment, l.invoice_id, c.name as company_name
    from pay_link l join company c on c.id = l.company_id where l.digest = any(${digests})`)
}

/** Across companies: the links may be of several. Naming those besides the join tells a distributed database which nodes to ask. */
export function findLinkedInvoices(db: Db, links: readonly PayLinkRow[]) {
  return db.many<InvoiceRow>(sql`
    select i.company_id, i.environment, i.id, i.status, i.requested, i.deposit, i.fee, i.address, i.pay_amount, i.expires_at, i.received,
           i.reasons, i.failure_code, i.failure_message, i.created_at, i.status_at, i.look_up_count, i.created_by, i.cancelled_by
    from unnest(${links.map((link) => link.company_id)}::uuid[], ${links.map((link) => link.environment)}::environment[],
                ${links.map((link) => link.invoice_id)}::uuid[]) as l (company_id, environment, id)
    join invoice i on i.company_id = l.company_id and i.environment = l.environment and i.id = l.id
    where i.company_id = any(${[...new Set(links.map((link) => link.company_id))]}::uuid[])`)
}

export function expireInvoice(db: Db, scope: Scope, id: string, now: Date, payUrl: string) {
  return db.find<{ expired: boolean }>(sql`
    select expire_invoice(${scope.companyId}, ${now}, ${scope.environment}, ${id}, ${payUrl}) as expired`)
}

/** Returns the status of the invoice afterwards, or null if there is no such invoice. */
export function cancelInvoice(
  db: Db,
  scope: Scope,
  id: string,
  { now, by, payUrl }: { now: Date; by: string; payUrl: string },
) {
  return db.find<{ status: InvoiceStatus | null }>(sql`
    select cancel_invoice(${scope.companyId}, ${now}, ${scope.environment}, ${id}, ${by}, ${payUrl}) as status`)
}

/** Returns the one pending invoice past its expiry, if there is one. There can be only one pending invoice. */
export function findOverdueInvoice(db: Db, scope: Scope, now: Date) {
  return db.find<{ id: string }>(sql`
    select id from invoice
    where company_id = ${scope.companyId} and environment = ${scope.environment} and status = 'pending' and expires_at <= ${now}`)
}

/** Across companies: the worker serves them all. */
export function listOverdueInvoices(db: Db, now: Date, limit: number) {
  return db.many<{ company_id: string; environment: Environment; id: string }>(sql`
    select company_id, environment, id from list_overdue_invoices(${now}, ${limit})`)
}

export interface ConfirmedPayment {
  key: string
  amount: bigint
  paidAt: Date
}

export type PaymentVerdict =
  'completed' | 'review' | 'own_review' | 'duplicate' | 'mismatch' | 'not_ready' | 'too_many' | 'no_invoice'

export function recordPayment(
  db: Db,
  scope: Scope,
  invoiceId: string,
  now: Date,
  payment: ConfirmedPayment & { reviewId: string; payUrl: string },
) {
  return db.find<{ verdict: PaymentVerdict }>(sql`
    select record_payment(
      ${scope.companyId}, ${now}, ${scope.environment}, ${invoiceId}, ${payment.key}, ${payment.amount}, ${payment.paidAt},
      ${payment.reviewId}, ${payment.payUrl}) as verdict`)
}

export interface PaymentRow {
  payment_key: string
  amount: bigint
  paid_at: Date
  recorded_at: Date
}

/** Returns the newest payments first: a person reads them, and the newest say the most. */
export function listPayments(db: Db, scope: Scope, invoiceId: string, limit: number) {
  return db.many<PaymentRow>(sql`
    select payment_key, amount, paid_at, recorded_at from invoice_payment
    where company_id = ${scope.companyId} and environment = ${scope.environment} and invoice_id = ${invoiceId}
    order by recorded_at desc, payment_key limit ${limit}`)
}

/** Across companies: an operator sees all reviews. */
export function listInvoiceReviews(db: Db, slice: ReviewSlice) {
  return db.many<InvoiceRow>(sql`
    select company_id, environment, id, status, requested, deposit, fee, address, pay_amount, expires_at, received, reasons,
           failure_code, failure_message, created_at, status_at, look_up_count, created_by, cancelled_by
    from invoice where status = 'manual_review' and id > ${slice.after}
      and (${slice.environment ?? null}::environment is null or environment = ${slice.environment ?? null})
    order by id limit ${slice.limit}`)
}

/** Across companies: an operator names an invoice by its id alone. */
export function findInvoiceAnywhere(db: Db, id: string) {
  return db.find<InvoiceRow>(sql`
    select i.company_id, i.environment, i.id, i.status, i.requested, i.deposit, i.fee, i.address, i.pay_amount, i.expires_at, i.received,
           i.reasons, i.failure_code, i.failure_message, i.created_at, i.status_at, i.look_up_count, i.created_by, i.cancelled_by
    from account a join invoice i on i.company_id = a.company_id and i.environment = a.environment and i.id = ${id}`)
}

export interface InvoiceEnd {
  status: 'completed' | 'failed' | 'expired'
  /** The received amount that the decision was based on. */
  seen: bigint | null
  received: bigint | null
  deposit: bigint | null
  fee: bigint | null
  failure: { code: string; message: string } | null
}

/** Across companies: the worker serves them all. Returns what is needed to look claimed invoices up. */
export function listClaimedInvoices(db: Db, environment: Environment, claimed: Claimed) {
  return db.many<Pick<InvoiceRow, 'company_id' | 'environment' | 'id' | 'requested' | 'look_up_count' | 'status_at'>>(
    planEachTime(sql`
      select company_id, environment, id, requested, look_up_count, status_at
      from invoice
      where company_id = any (${claimed.companyIds}::uuid[]) and environment = ${environment} and id = any (${claimed.ids}::uuid[])`),
  )
}

export interface PaymentReviewRow {
  company_id: string
  environment: Environment
  id: string
  invoice_id: string
  payment_key: string
  status: 'manual_review' | 'completed' | 'failed'
  amount: bigint
  deposit: bigint | null
  fee: bigint | null
  created_at: Date
}

/** Across companies: an operator sees all reviews. */
export function listPaymentReviews(db: Db, slice: ReviewSlice) {
  return db.many<PaymentReviewRow>(sql`
    select company_id, environment, id, invoice_id, payment_key, status, amount, deposit, fee, created_at
    from payment_review where status = 'manual_review' and id > ${slice.after}
      and (${slice.environment ?? null}::environment is null or environment = ${slice.environment ?? null})
    order by id limit ${slice.limit}`)
}

/** Returns the payments that came after the invoice was closed, and what was decided about each, oldest first. */
export function listLatePayments(db: Db, scope: Scope, invoiceId: string, limit: number) {
  return db.many<PaymentReviewRow & { status_at: Date }>(sql`
    select company_id, environment, id, invoice_id, payment_key, status, amount, deposit, fee, created_at, status_at
    from payment_review where company_id = ${scope.companyId} and environment = ${scope.environment} and invoice_id = ${invoiceId}
    order by id limit ${limit}`)
}

/** Across companies: an operator names a review by its id alone. */
export function findPaymentReviewAnywhere(db: Db, id: string) {
  return db.find<PaymentReviewRow>(sql`
    select r.company_id, r.environment, r.id, r.invoice_id, r.payment_key, r.status, r.amount, r.deposit, r.fee, r.created_at
    from account a join payment_review r on r.company_id = a.company_id and r.environment = a.environment and r.id = ${id}`)
}

export function findPaymentReview(db: Db, scope: Scope, id: string) {
  return db.find<PaymentReviewRow>(sql`
    select company_id, environment, id, invoice_id, payment_key, status, amount, deposit, fee, created_at
    from payment_review where company_id = ${scope.companyId} and environment = ${scope.environment} and id = ${id}`)
}

export interface PaymentEnd {
  status: 'completed' | 'failed'
  deposit: bigint | null
  fee: bigint | null
}
