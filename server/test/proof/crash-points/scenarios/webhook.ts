// Webhooks: every event of an operation reaches the receiver, whatever becomes of the first delivery.
import { sql } from '../../../../src/db/sql.ts'
import { findId } from '../../../../src/lib/ids.ts'
import { must } from '../../../../src/lib/invariant.ts'
import { RECEPTIONS, type ReceptionName } from '../wire.ts'
import type { Scenario } from '../scenario.ts'
import { createSubject, type Subject } from '../subject.ts'
import type { ClientAnswer, World } from '../world.ts'
import { checkOperation, isOperationSettled, order } from './operations.ts'

/** Queued, processing, and the end. */
const EVENTS_MIN = 3

const endpoints = new WeakMap<Subject, string>()
const endpointIdOf = ({ body }: ClientAnswer) => must(findId('we', String(body['id'])))
const pathOf = ({ requestKey }: Subject) => `/${requestKey}`

function readDeliveries({ db }: World, { scope }: Subject) {
  return db.many<{ event_id: string; status: string }>(sql`
    select event_id, status from delivery
    where company_id = ${scope.companyId} and environment = ${scope.environment}`)
}

export const webhook: Scenario = {
  name: 'webhook',
  serves: ['/api/v1/operations'],
  outcomes: RECEPTIONS,
  object: 'operation',
  async prepare(world) {
    const subject = await createSubject(world, 'live')
    const answer = await world.send({
      method: 'POST',
      path: '/api/v1/webhook-endpoints',
      token: subject.key,
      key: `endpoint ${subject.requestKey}`,
      body: { url: `https://receiver.example${pathOf(subject)}` },
    })
    if (answer?.status !== 201) throw new Error(JSON.stringify(answer))
    world.receivers.endpoints.set(pathOf(subject), endpointIdOf(answer))
    endpoints.set(subject, endpointIdOf(answer))
    return subject
  },
  arrange(world, outcome) {
    world.reception = outcome as ReceptionName
  },
  request: (subject) =>
    order(subject, { type: 'service', productId: 'prod_service_vpn', amount: '49', recipient: 'a@example.com' }),
  async isSettled(world, subject) {
    if (!(await isOperationSettled(world, subject))) return false
    return (await readDeliveries(world, subject)).every(({ status }) => status !== 'pending')
  },
  async check(world, subject, asked, outcome) {
    const problems = await checkOperation(world, subject, asked)
    const arrived = world.receivers.arrivals.filter(({ endpointId }) => endpointId === endpoints.get(subject))
    const deliveries = await readDeliveries(world, subject)
    for (const { event_id, status } of deliveries) {
      const accepted = arrived.filter(({ eventId, statusCode }) => statusCode !== 500 && eventId === event_id)
      if (status !== 'delivered' || accepted.length === 0)
        problems.push(`event ${event_id} was accepted ${accepted.length} times, and its delivery is ${status}`)
    }
    if (deliveries.length < EVENTS_MIN) problems.push(`there are ${deliveries.length} deliveries`)
    if (outcome === 'accepts' && !world.hasCrashed && arrived.length !== deliveries.length)
      problems.push(`${deliveries.length} events were delivered ${arrived.length} times without a fault`)
    return problems
  },
}
