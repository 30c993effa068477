// Planted bugs in the SQL functions that claim operations, end reviews, take payments and deliver events.
import type { Plant } from './plant.ts'

const CLAIM = 'operations/claim_listed.sql'
const LOOK_UPS = 'issuer/claim_look_ups.sql'
const SETTLE = 'operations/settle_operations.sql'
const FAN_OUT = 'webhooks/fan_out.sql'

export const FLOW_PLANTS: readonly Plant[] = [
  {
    name: 'two workers can claim the same operation',
    options: { raceRate: 0.9, crashRate: 0 },
    sql: [{ file: CLAIM, find: " and o.status = 'queued'", replace: '' }],
  },
  {
    name: 'the attempt is not recorded before the call',
    sql: [{ file: CLAIM, find: 'claimed_at = coalesce(o.claimed_at, p_now),', replace: '' }],
  },
  {
    name: 'an operation whose lease ran out is queued again',
    sql: [
      {
        file: LOOK_UPS,
        find: 'update issuer_request r set due_at = p_lease_until',
        replace: "update issuer_request r set due_at = p_now, status = 'queued'",
      },
      {
        file: LOOK_UPS,
        find: 'returning r.company_id, r.id, r.kind;',
        replace:
          "returning r.company_id, r.id, r.kind;\n  update operation o set status = 'queued' from issuer_request q where q.company_id = o.company_id and q.environment = o.environment and q.id = o.id and q.status = 'queued' and o.status = 'processing';",
      },
    ],
  },
  {
    name: 'a timer looks up what is in review',
    sql: [
      {
        file: LOOK_UPS,
        find: "q.status = 'processing' and",
        replace: "q.status in ('processing', 'manual_review') and",
      },
      {
        file: LOOK_UPS,
        find: "case r.status when 'processing' then",
        replace: "case when r.status in ('processing', 'manual_review') then",
      },
    ],
  },
  {
    name: 'the end of a review is not written to the audit log',
    sql: [
      {
        file: 'reviews/resolve_review.sql',
        find: 'perform record_audit(p_company, p_audit_record);',
        replace: '',
      },
    ],
  },
  {
    name: 'an event of a failure is not written',
    sql: [
      {
        file: SETTLE,
        find: "from moved where status <> 'processing'\n",
        replace: "from moved where status not in ('processing', 'failed')\n",
      },
    ],
  },
  {
    name: 'an endpoint does not get the events of failures',
    options: { endpoints: 1, receiverTroubleRate: 0.5 },
    sql: [
      {
        file: FAN_OUT,
        find: "and e.status = 'enabled'",
        replace: "and e.status = 'enabled' and i.type <> 'operation.failed'",
      },
    ],
  },
  {
    name: 'events reach the endpoints of other companies',
    options: { companies: 2, endpoints: 1 },
    sql: [
      {
        file: FAN_OUT,
        find: 'e.company_id = coalesce(v_company, i.company_id)',
        replace: 'true',
      },
    ],
  },
  {
    name: 'a delivery is marked delivered before the receiver answered 2xx',
    options: { endpoints: 1, receiverTroubleRate: 0.5 },
    sql: [
      {
        file: 'webhooks/record_attempts.sql',
        find: 'update delivery d set status = i.status,',
        replace: "update delivery d set status = 'delivered',",
      },
    ],
  },
  {
    name: 'a delivery is given up after the first failure',
    options: { endpoints: 1, receiverTroubleRate: 0.5 },
    sql: [
      {
        file: 'webhooks/record_attempts.sql',
        find: 'update delivery d set status = i.status,',
        replace: "update delivery d set status = case i.status when 'pending' then 'failed' else i.status end,",
      },
    ],
  },
  {
    name: 'a company can have two unresolved invoices',
    options: { liveShare: 1, issuerTroubleRate: 0.05, crashRate: 0 },
    statements: ['drop index invoice_unresolved'],
    sql: [
      {
        file: 'funding/begin_invoice.sql',
        find: "i.status in ('creating', 'pending', 'manual_review')",
        replace: 'false',
      },
    ],
  },
  {
    name: 'an invoice is completed by any payment',
    options: { companies: 3, actions: 90, liveShare: 1, issuerTroubleRate: 0.05, crashRate: 0 },
    sql: [
      { file: 'funding/record_payment.sql', find: 'else v_sum = v_invoice.pay_amount end', replace: 'else true end' },
    ],
  },
  {
    name: 'a payment is credited without an entry',
    options: { liveShare: 1, issuerTroubleRate: 0.05, crashRate: 0 },
    sql: [
      {
        file: 'funding/complete_invoice.sql',
        find: "  perform credit_account(v_invoice.company_id, p_now, v_invoice.environment, v_invoice.id, 'inv', p_deposit, p_fee);\n",
        replace: '',
      },
    ],
  },
]
