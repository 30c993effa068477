// How many deliveries may be under way at a time.
import { expect, it } from 'vitest'
import { createDeliverySlots } from './delivery-slots.ts'
import type { QueueKey } from './queries.ts'

const queueOf = (company_id: string, endpoint_id: string): QueueKey => ({
  company_id,
  environment: 'sandbox',
  endpoint_id,
})

it('an endpoint whose deliveries have ended gets a slot again, although its company has used up its own', () => {
  const slots = createDeliverySlots({ inFlightMax: 9, companyMax: 2 })
  const [busy, idle] = [queueOf('a', 'busy'), queueOf('a', 'idle')]
  expect([slots.tryTake(busy), slots.tryTake(busy), slots.tryTake(busy)]).toEqual([true, true, false])
  for (let time = 0; time < 3; time += 1) {
    expect([slots.tryTake(idle), slots.tryTake(idle)]).toEqual([true, false])
    slots.release(idle)
  }
  slots.release(busy)
  expect([slots.tryTake(busy), slots.tryTake(busy)]).toEqual([true, false])
})

it('a process has its slots again when the deliveries have ended', () => {
  const slots = createDeliverySlots({ inFlightMax: 2, companyMax: 2 })
  const queues = ['a', 'b', 'c'].map((name) => queueOf(name, name))
  for (let time = 0; time < 3; time += 1) {
    expect(queues.map((queue) => slots.tryTake(queue))).toEqual([true, true, false])
    for (const queue of queues.slice(0, 2)) slots.release(queue)
  }
})
