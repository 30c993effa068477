// Ordering a service in the sandbox, whose issuer keeps its records in the same database.
import type { Scenario } from '../scenario.ts'
import { createSubject } from '../subject.ts'
import { checkOperation, findOperations, isOperationSettled, order } from './operations.ts'

/** The recipients that make the sandbox issuer do something else, and how such an operation ends. */
const ENDS: Readonly<Record<string, string>> = { ada: 'completed', fail: 'failed', unknown: 'manual_review' }

export const sandboxService: Scenario = {
  name: 'service in the sandbox',
  serves: ['/api/v1/operations'],
  outcomes: Object.keys(ENDS),
  object: 'operation',
  prepare: (world) => createSubject(world, 'sandbox'),
  arrange() {},
  request: (subject, recipient) =>
    order(subject, { type: 'service', productId: 'prod_service_esim', amount: '20', recipient }),
  isSettled: isOperationSettled,
  async check(world, subject, asked, recipient) {
    const problems = await checkOperation(world, subject, asked)
    const [row] = await findOperations(world, subject)
    // A node that died before it sent anything leaves an operation that the fence ends.
    if (row?.status !== ENDS[recipient] && row?.status !== 'failed')
      problems.push(`an order for ${recipient} is ${row?.status}`)
    return problems
  },
}
