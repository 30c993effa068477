// Crediting funds, in the sandbox only.
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { Amount, object } from '../http/wire.ts'
import { deposit } from '../ledger/deposit.ts'
import type { Clock } from '../lib/clock.ts'
import { payloadDigest } from '../lib/digest.ts'
import { parseCents, ZERO } from '../lib/money.ts'

export function sandboxRoutes({ db, clock }: { db: Db; clock: Clock }): Route[] {
  const tag = 'sandbox'
  return [
    companyRoute(
      { anyOf: ['cards:write'], sandboxOnly: true },
      {
        method: 'POST',
        path: '/api/v1/sandbox/funding',
        tag,
        summary: 'Credit sandbox funds',
        idempotent: true,
        body: object({ amount: Amount }),
        responses: { 200: object({}) },
        handle: async ({ caller, idempotencyKey, body }) => {
          const amount = parseCents(body.amount)
          if (amount === 0n) throw new ApiError('amount_below_minimum', 'The amount must be at least "0.01".')
          const digest = payloadDigest(body).toString('hex')
          const { replayed } = await deposit({ db, clock }, caller.scope, { amount, fee: ZERO, idempotencyKey, digest })
          return replayed ? { ...ok({}), headers: { 'idempotent-replayed': 'true' } } : ok({})
        },
      },
    ),
  ]
}
