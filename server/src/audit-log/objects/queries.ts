// SQL that reads what the objects of audit records are called. A record's company is part of every key, so that an id that somebody only
// tried names nothing of another company. Naming the companies besides the join tells a distributed database which nodes to ask.
import type { Db } from '../../db/pool.ts'
import { planEachTime, sql } from '../../db/sql.ts'
import type { WantedStatus } from '../../cards/states.ts'

/** An object with the company of its record. */
export interface Wanted {
  readonly companyId: string
  readonly id: string
}

/** A record has no environment, so both are looked in. An id is in one of them. */
interface Found {
  company_id: string
  id: string
}

export interface CardFound {
  card_id: string | null
  card_name: string | null
  last4: string | null
  holder_id: string | null
  holder_name: string | null
}

const companiesOf = (wanted: readonly Wanted[]) => wanted.map(({ companyId }) => companyId)
const idsOf = (wanted: readonly Wanted[]) => wanted.map(({ id }) => id)
const distinct = (ids: readonly string[]) => [...new Set(ids)]

/** A record about a company belongs to that company. */
export function nameCompanies(db: Db, wanted: readonly Wanted[]) {
  return db.many<Found & { name: string }>(sql`
    select id as company_id, id, name from company
    where id = any(${wanted.flatMap(({ companyId, id }) => (companyId === id ? [id] : []))}::uuid[])`)
}

export function nameHolders(db: Db, wanted: readonly Wanted[]) {
  return db.many<Found & { name: string }>(
    planEachTime(sql`
      select h.company_id, h.id, h.name
      from unnest(${companiesOf(wanted)}::uuid[], ${idsOf(wanted)}::uuid[]) as w (company_id, id)
      join holder h on h.company_id = w.company_id and h.environment in ('sandbox', 'live') and h.id = w.id
      where h.company_id = any(${distinct(companiesOf(wanted))}::uuid[])`),
  )
}

export function nameCards(db: Db, wanted: readonly Wanted[]) {
  return db.many<Found & { name: string; last4: string }>(
    planEachTime(sql`
      select c.company_id, c.id, c.name, c.last4
      from unnest(${companiesOf(wanted)}::uuid[], ${idsOf(wanted)}::uuid[]) as w (company_id, id)
      join card c on c.company_id = w.company_id and c.environment in ('sandbox', 'live') and c.id = w.id
      where c.company_id = any(${distinct(companiesOf(wanted))}::uuid[])`),
  )
}

export function nameCardChanges(db: Db, wanted: readonly Wanted[]) {
  return db.many<Found & CardFound & { wanted: WantedStatus }>(
    planEachTime(sql`
      select x.company_id, x.id, x.wanted, c.id as card_id, c.name as card_name, c.last4, h.id as holder_id, h.name as holder_name
      from unnest(${companiesOf(wanted)}::uuid[], ${idsOf(wanted)}::uuid[]) as w (company_id, id)
      join card_change x on x.company_id = w.company_id and x.environment in ('sandbox', 'live') and x.id = w.id
      join card c on c.company_id = x.company_id and c.environment = x.environment and c.id = x.card_id
      join holder h on h.company_id = c.company_id and h.environment = c.environment and h.id = c.holder_id
      where x.company_id = any(${distinct(companiesOf(wanted))}::uuid[])`),
  )
}

export function nameOperations(db: Db, wanted: readonly Wanted[]) {
  return db.many<
    Found & CardFound & { type: 'issue' | 'topup' | 'service'; product_id: string; recipient: string | null }
  >(
    planEachTime(sql`
      select o.company_id, o.id, o.type, o.product_id, o.recipient, c.id as card_id, c.name as card_name, c.last4,
             h.id as holder_id, h.name as holder_name
      from unnest(${companiesOf(wanted)}::uuid[], ${idsOf(wanted)}::uuid[]) as w (company_id, id)
      join operation o on o.company_id = w.company_id and o.environment in ('sandbox', 'live') and o.id = w.id
      left join card c on c.company_id = o.company_id and c.environment = o.environment and c.id = o.card_id
      left join holder h on h.company_id = o.company_id and h.environment = o.environment and h.id = coalesce(c.holder_id, o.holder_id)
      where o.company_id = any(${distinct(companiesOf(wanted))}::uuid[])`),
  )
}

export function nameTransactions(db: Db, wanted: readonly Wanted[]) {
  return db.many<Found & { merchant: string }>(
    planEachTime(sql`
      select t.company_id, t.id, t.merchant
      from unnest(${companiesOf(wanted)}::uuid[], ${idsOf(wanted)}::uuid[]) as w (company_id, id)
      join transaction t on t.company_id = w.company_id and t.environment in ('sandbox', 'live') and t.id = w.id
      where t.company_id = any(${distinct(companiesOf(wanted))}::uuid[])`),
  )
}

export function nameInvoices(db: Db, wanted: readonly Wanted[]) {
  return db.many<Found & { requested: bigint }>(
    planEachTime(sql`
      select i.company_id, i.id, i.requested
      from unnest(${companiesOf(wanted)}::uuid[], ${idsOf(wanted)}::uuid[]) as w (company_id, id)
      join invoice i on i.company_id = w.company_id and i.environment in ('sandbox', 'live') and i.id = w.id
      where i.company_id = any(${distinct(companiesOf(wanted))}::uuid[])`),
  )
}

export function namePaymentReviews(db: Db, wanted: readonly Wanted[]) {
  return db.many<Found & { amount: bigint }>(
    planEachTime(sql`
      select r.company_id, r.id, r.amount
      from unnest(${companiesOf(wanted)}::uuid[], ${idsOf(wanted)}::uuid[]) as w (company_id, id)
      join payment_review r on r.company_id = w.company_id and r.environment in ('sandbox', 'live') and r.id = w.id
      where r.company_id = any(${distinct(companiesOf(wanted))}::uuid[])`),
  )
}

export function nameEndpoints(db: Db, wanted: readonly Wanted[]) {
  return db.many<Found & { url: string }>(
    planEachTime(sql`
      select e.company_id, e.id, e.url
      from unnest(${companiesOf(wanted)}::uuid[], ${idsOf(wanted)}::uuid[]) as w (company_id, id)
      join webhook_endpoint e on e.company_id = w.company_id and e.environment in ('sandbox', 'live') and e.id = w.id
      where e.company_id = any(${distinct(companiesOf(wanted))}::uuid[])`),
  )
}

/** Across environments: a key’s id is unique within its company. */
export function nameKeys(db: Db, wanted: readonly Wanted[]) {
  return db.many<Found & { name: string }>(
    planEachTime(sql`
      select k.company_id, k.id, k.name
      from unnest(${companiesOf(wanted)}::uuid[], ${idsOf(wanted)}::uuid[]) as w (company_id, id)
      join api_key k on k.company_id = w.company_id and k.id = w.id`),
  )
}

export function nameInvitations(db: Db, wanted: readonly Wanted[]) {
  return db.many<Found & { email: string }>(
    planEachTime(sql`
      select l.company_id, l.id, l.email
      from unnest(${companiesOf(wanted)}::uuid[], ${idsOf(wanted)}::uuid[]) as w (company_id, id)
      join one_time_link l on l.company_id = w.company_id and l.id = w.id
      where l.kind = 'invitation'`),
  )
}

/** Only who belongs to the company of the record. */
export function nameMembers(db: Db, wanted: readonly Wanted[]) {
  return db.many<Found & { name: string }>(
    planEachTime(sql`
      select m.company_id, p.id, p.name
      from unnest(${companiesOf(wanted)}::uuid[], ${idsOf(wanted)}::uuid[]) as w (company_id, id)
      join membership m on m.company_id = w.company_id and m.person_id = w.id
      join person p on p.id = m.person_id`),
  )
}

/** Across companies, for operators only: people, the owners of sessions, invitations to the programme and operator tokens. */
export function nameOfProgramme(db: Db, ids: readonly string[]) {
  return db.many<{ id: string; name: string }>(
    planEachTime(sql`
      select id, name from person where id = any(${ids}::uuid[])
      union all
      select s.id, 'Session of ' || p.name from person_session s join person p on p.id = s.person_id where s.id = any(${ids}::uuid[])
      union all
      select id, email from one_time_link where kind = 'invitation' and id = any(${ids}::uuid[])
      union all
      select id, name from operator_token where id = any(${ids}::uuid[])`),
  )
}
