// An operator decides a review: the decision counts once, with one record in the audit log.
import { sql } from '../../../../src/db/sql.ts'
import { formatId } from '../../../../src/lib/ids.ts'
import { must } from '../../../../src/lib/invariant.ts'
import type { Scenario } from '../scenario.ts'
import { createSubject, type Subject } from '../subject.ts'
import { checkOperation, findOperations, order } from './operations.ts'

const reviews = new WeakMap<Subject, string>()

export const review: Scenario = {
  name: 'review',
  serves: ['/admin/v1/reviews/:id/resolve'],
  outcomes: ['completed', 'failed'],
  async prepare(world) {
    const subject = await createSubject(world, 'sandbox')
    const service = { type: 'service', productId: 'prod_service_esim', amount: '20', recipient: 'unknown' }
    const answer = await world.send(order(subject, service))
    await world.until('the operation is in review', async () => {
      return (await findOperations(world, subject))[0]?.status === 'manual_review'
    })
    reviews.set(subject, String(answer?.body['id']))
    return subject
  },
  arrange() {},
  request: (subject, outcome) => ({
    method: 'POST',
    path: `/admin/v1/reviews/${must(reviews.get(subject))}/resolve`,
    token: subject.operatorToken,
    body: { outcome, reason: 'seen at the issuer', ...(outcome === 'failed' ? {} : { receipt: 'r1' }) },
  }),
  async isSettled(world, subject) {
    return (await findOperations(world, subject))[0]?.status !== 'manual_review'
  },
  async check(world, subject, asked, outcome) {
    const problems = (await checkOperation(world, subject, [])).filter((problem) => !problem.includes('has the events'))
    const [row] = await findOperations(world, subject)
    if (row?.status !== outcome) problems.push(`the decision was ${outcome}, and the operation is ${row?.status}`)
    const records = await world.db.many(sql`
      select action from audit_log where object = ${formatId('op', must(row).id)} and action like 'review.%'`)
    if (records.length !== 1) problems.push(`the audit log has ${records.length} records of the decision`)
    for (const { answer } of asked) {
      const isKnown = answer === undefined || answer.status === 200 || answer.body['code'] === 'already_resolved'
      if (!isKnown) problems.push(`a decision got ${answer.status}: ${JSON.stringify(answer.body)}`)
    }
    return problems
  },
}
