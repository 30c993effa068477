// Planted bugs in the SQL functions that move money.
import type { Db } from '../../../../src/db/pool.ts'
import { sql, type Statement } from '../../../../src/db/sql.ts'
import type { Settler } from '../../../../src/ledger/settle.ts'
import type { Plant } from './plant.ts'

const ACCEPT = 'operations/accept_operation.sql'
const SETTLE = 'operations/settle_operations.sql'
const REFUSAL = 'operations/operation_refusal.sql'
const LOCK = `  select * into strict v_account from account a
  where a.company_id = p_company and a.environment = p_environment for no key update;
`
const DROP_ENTRY_CHECKS = 'alter table entry drop constraint entry_check, drop constraint entry_kind_check'
const DROP_ACCOUNT_CHECKS =
  'alter table account drop constraint account_available_check, drop constraint account_held_check'

/** Writes the balance in a transaction of its own, after the one that wrote the entry. */
function balanceLater(db: Db): Db {
  const after = async <Value>(statement: Statement, answer: Promise<Value>): Promise<Value> => {
    const value = await answer
    if (statement.text.includes('accept_operation(')) {
      await db.run(sql`
        update account a set available = e.available, held = e.held, sequence = e.sequence
        from (select company_id, environment, sum(available_delta)::bigint as available, sum(held_delta)::bigint as held,
                max(number) as sequence from entry group by 1, 2) e
        where e.company_id = a.company_id and e.environment = a.environment`)
    }
    return value
  }
  return {
    many: <Row>(statement: Statement) => after(statement, db.many<Row>(statement)),
    find: <Row>(statement: Statement) => after(statement, db.find<Row>(statement)),
    run: (statement) => after(statement, db.run(statement)),
  }
}

/** Settles again, as after a lost answer. */
function settleTwice(settler: Settler): Settler {
  return {
    ...settler,
    push: async (settlement) => {
      const settled = await settler.push(settlement)
      await settler.push(settlement)
      return settled
    },
  }
}

export const LEDGER_PLANTS: readonly Plant[] = [
  {
    name: 'an operation is accepted without the lock of its account',
    sql: [{ file: ACCEPT, find: 'p_environment for no key update;', replace: 'p_environment;' }],
    options: { raceRate: 0.9, crashRate: 0 },
  },
  {
    name: 'the key is looked up before the lock',
    statements: ['drop index operation_key'],
    options: { raceRate: 0.9, crashRate: 0 },
    sql: [
      { file: ACCEPT, find: LOCK, replace: '' },
      { file: ACCEPT, find: '  if p_holder is not null then', replace: `${LOCK}  if p_holder is not null then` },
    ],
  },
  {
    name: 'the entry and the balance are written in two transactions',
    sql: [
      {
        file: ACCEPT,
        find: '  where a.company_id = p_company and a.environment = p_environment;\n  if v_account',
        replace: '  where false;\n  if v_account',
      },
    ],
    parts: { db: balanceLater },
  },
  {
    name: 'a key is not scoped by environment',
    options: { liveShare: 0.5, companies: 1 },
    sql: [
      {
        file: ACCEPT,
        find: 'where k.company_id = p_company and k.environment = p_environment and k.idempotency_key >= p_key',
        replace: 'where k.company_id = p_company and k.idempotency_key >= p_key',
      },
    ],
  },
  {
    name: 'a key with another payload is answered with the first object',
    sql: [{ file: ACCEPT, find: "then 'replay' else 'conflict' end", replace: "then 'replay' else 'replay' end" }],
  },
  {
    name: 'a repeated request is refused as a conflict',
    sql: [{ file: ACCEPT, find: "then 'replay' else 'conflict' end", replace: "then 'conflict' else 'conflict' end" }],
  },
  {
    name: 'funds are not checked',
    statements: [DROP_ENTRY_CHECKS, DROP_ACCOUNT_CHECKS],
    sql: [{ file: REFUSAL, find: "when p_total > p_available then 'funds'", replace: "when false then 'funds'" }],
  },
  {
    name: 'only the constraint checks funds',
    sql: [{ file: REFUSAL, find: "when p_total > p_available then 'funds'", replace: "when false then 'funds'" }],
  },
  {
    name: 'funds are refused that are there',
    sql: [{ file: REFUSAL, find: 'when p_total > p_available', replace: 'when p_total * 4 > p_available' }],
  },
  {
    name: 'the quota is one too high',
    sql: [{ file: REFUSAL, find: 'p_issued >= p_quota', replace: 'p_issued > p_quota' }],
  },
  {
    name: 'a failed issue is not given back to the quota',
    sql: [{ file: SETTLE, find: 'a.issued_count - t.issues', replace: 'a.issued_count' }],
  },
  {
    name: 'an operation that has ended is captured again',
    parts: { settler: settleTwice },
    statements: ['drop index entry_ends_once', 'drop index entry_charges_once', DROP_ENTRY_CHECKS, DROP_ACCOUNT_CHECKS],
    sql: [
      {
        file: SETTLE,
        find: "else o.status = 'manual_review' and i.status in ('completed', 'failed')",
        replace: "else i.status in ('completed', 'failed')",
      },
    ],
  },
  {
    name: 'a release keeps the fee',
    statements: [DROP_ENTRY_CHECKS],
    sql: [
      {
        file: SETTLE,
        find: "'release', m.amount + m.fee, -m.amount - m.fee",
        replace: "'release', m.amount, -m.amount - m.fee",
      },
    ],
  },
  {
    name: 'the fee of an operation is not charged',
    sql: [{ file: SETTLE, find: "where m.status = 'completed' and m.fee > 0", replace: 'where false' }],
  },
  {
    name: 'entries do not carry the running balance',
    statements: [DROP_ENTRY_CHECKS],
    sql: [{ file: SETTLE, find: 'v_held[v.account] + sum(v.held_delta) over w,', replace: 'v_held[v.account],' }],
  },
  {
    name: 'the seal skips fees',
    sql: [
      {
        file: 'ledger/chain_over.sql',
        find: "p_hash := sha256(p_hash || convert_to(v_text, 'UTF8'));",
        replace: "if v_text not like '%|fee|%' then p_hash := sha256(p_hash || convert_to(v_text, 'UTF8')); end if;",
      },
    ],
  },
  {
    name: 'the fee of a deposit is not written',
    sql: [{ file: 'ledger/credit_account.sql', find: 'if p_fee > 0 then', replace: 'if false then' }],
  },
]
