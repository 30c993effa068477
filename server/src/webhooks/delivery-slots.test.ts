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

it('a company that replaces its endpoints while their deliveries hang has no more slots than with all that it can have at a time', () => {
  const slots = createDeliverySlots({ inFlightMax: 100, companyMax: 4 })
  const endpoints = Array.from({ length: 30 }, (_, number) => queueOf('a', `endpoint ${number}`))
  expect(endpoints.filter((queue) => slots.tryTake(queue))).toHaveLength(24)
  const [oldest] = endpoints
  if (oldest !== undefined) slots.release(oldest)
  expect(endpoints.slice(-2).map((queue) => slots.tryTake(queue))).toEqual([true, false])
  expect(slots.tryTake(queueOf('b', 'other'))).toBe(true)
})

it('each of the twenty endpoints of a company gets a slot while the others use up those of the company', () => {
  const slots = createDeliverySlots({ inFlightMax: 100, companyMax: 4 })
  const busy = queueOf('a', 'busy')
  expect(Array.from({ length: 5 }, () => slots.tryTake(busy))).toEqual([true, true, true, true, false])
  const others = Array.from({ length: 19 }, (_, number) => queueOf('a', `endpoint ${number}`))
  expect(others.map((queue) => slots.tryTake(queue))).toEqual(others.map(() => true))
})
