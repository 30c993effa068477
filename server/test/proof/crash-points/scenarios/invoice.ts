// Funding by invoice: the client asks for it, the issuer sees it paid, and the account is credited.
import { sql } from '../../../../src/db/sql.ts'
import { findId } from '../../../../src/lib/ids.ts'
import { OUTCOMES, type Outcome } from '../wire.ts'
import type { Scenario } from '../scenario.ts'
import { createSubject, type Subject } from '../subject.ts'
import type { World } from '../world.ts'

interface InvoiceRow {
  id: string
  status: string
  deposit: bigint
  fee: bigint
}

function findInvoices({ db }: World, { scope, requestKey }: Subject): Promise<InvoiceRow[]> {
  return db.many<InvoiceRow>(sql`
    select id, status, deposit, fee from invoice
    where company_id = ${scope.companyId} and environment = ${scope.environment} and idempotency_key = ${requestKey}`)
}

const paid = new WeakSet<Subject>()

export const invoice: Scenario = {
  name: 'invoice',
  serves: ['/api/v1/card-account/invoices'],
  outcomes: OUTCOMES,
  object: 'invoice',
  prepare: (world) => createSubject(world, 'live'),
  arrange(world, outcome) {
    world.wire.outcome = outcome as Outcome
  },
  request: ({ key, requestKey }) => ({
    method: 'POST',
    path: '/api/v1/card-account/invoices',
    token: key,
    key: requestKey,
    body: { amount: '100' },
  }),
  async isSettled(world, subject) {
    const [row] = await findInvoices(world, subject)
    if (row === undefined) return false
    if (row.status === 'pending' && !paid.has(subject)) {
      paid.add(subject)
      world.wire.pay(row.id)
    }
    return world.wire.underWay === 0 && !['creating', 'pending'].includes(row.status)
  },
  async check(world, subject, asked) {
    const rows = await findInvoices(world, subject)
    const [row] = rows
    if (row === undefined || rows.length > 1) return [`the key has ${rows.length} invoices`]
    const problems: string[] = []
    for (const { answer } of asked) {
      if (answer === undefined || answer.status >= 500) continue
      const isSame = [200, 201, 202].includes(answer.status) && findId('inv', String(answer.body['id'])) === row.id
      if (!isSame) problems.push(`an answer ${answer.status} is not about the invoice: ${JSON.stringify(answer.body)}`)
    }
    const isDone = world.wire.issuer.hasDone(row.id)
    if (row.status !== (isDone ? 'completed' : 'failed'))
      problems.push(`the invoice is ${row.status}, and the issuer ${isDone ? 'has' : 'has not'} made it`)
    const { companyId, environment } = subject.scope
    const account = await world.db.find<{ available: bigint }>(sql`
      select available from account where company_id = ${companyId} and environment = ${environment}`)
    const credit = row.status === 'completed' ? row.deposit - row.fee : 0n
    if (account?.available !== subject.funds + credit)
      problems.push(`a ${row.status} invoice left ${account?.available} available`)
    return problems
  },
}
