// The buckets of the rate limits of a whole group, which the supervisor keeps.
import { type Buckets, createBuckets, type Taken } from '../../../http/limits/buckets.ts'
import type { TakeRequest } from './messages.ts'

/** Returns a function that takes tokens from the buckets of the whole group. */
export function createTakeAll(): (requests: readonly TakeRequest[]) => Taken[] {
  const policies = new Map<string, Buckets>()
  const find = ({ policy }: TakeRequest) => {
    const found = policies.get(policy.name)
    if (found !== undefined) return found
    const buckets = createBuckets(policy, () => performance.now())
    policies.set(policy.name, buckets)
    return buckets
  }
  return (requests) =>
    requests.map((request) => {
      const buckets = find(request)
      if (!request.isReturn) return buckets.take(request.key)
      buckets.giveBack(request.key)
      return { allowed: true, tokens: 0 }
    })
}
