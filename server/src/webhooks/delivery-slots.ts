// Limits how many deliveries a process has in flight, in all and per company, so that receivers that hang cannot use up
// the sockets and memory that everybody else's deliveries need.
import type { QueueKey } from './queries.ts'

/** Per process. A delivery in flight is a socket and a few kilobytes. */
const IN_FLIGHT_MAX = 1024
/** Per company: four endpoints at their own limit (serve-queue.ts), and never more than a small part of the process's. */
const COMPANY_IN_FLIGHT_MAX = 64
/**
 * Per company, beyond the others: one for each of the endpoints that it can have (endpoints.ts), in both environments. It needs a limit
 * of its own, because an endpoint can be deleted and replaced while its delivery is in flight.
 */
const COMPANY_FIRST_MAX = 20

export interface DeliverySlots {
  /**
   * Takes a slot and returns true, or returns false when there is none. An endpoint that has nothing in flight gets a
   * slot although its company's other endpoints have used up theirs: a hanging endpoint must not delay a healthy one.
   */
  tryTake(queue: QueueKey): boolean
  release(queue: QueueKey): void
}

export function createDeliverySlots(limits = { inFlightMax: IN_FLIGHT_MAX, companyMax: COMPANY_IN_FLIGHT_MAX }) {
  let total = 0
  const byCompany = new Map<string, number>()
  const byEndpoint = new Map<string, number>()
  const add = (counts: Map<string, number>, key: string, change: 1 | -1) => {
    const count = (counts.get(key) ?? 0) + change
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }
  const change = ({ company_id, endpoint_id }: QueueKey, by: 1 | -1) => {
    total += by
    add(byCompany, company_id, by)
    add(byEndpoint, endpoint_id, by)
  }
  const slots: DeliverySlots = {
    tryTake(queue) {
      if (total >= limits.inFlightMax) return false
      const isFirst = !byEndpoint.has(queue.endpoint_id)
      const companyMax = limits.companyMax + (isFirst ? COMPANY_FIRST_MAX : 0)
      if ((byCompany.get(queue.company_id) ?? 0) >= companyMax) return false
      change(queue, 1)
      return true
    },
    release: (queue) => change(queue, -1),
  }
  return slots
}
