// POST /sandbox/funding credits money that does not exist. It must never work in live.
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { deposit } from '../ledger/deposit.ts'
import type { Clock } from '../lib/clock.ts'
import { payloadDigest } from '../lib/digest.ts'
import { parseCents, ZERO } from '../lib/money.ts'
import { field, object, positiveAmount } from '../lib/wire.ts'

const NewFunding = object(
  { amount: field(positiveAmount('funding only adds money'), 'How much to credit.') },
  'SandboxFundingCreate',
  'Sandbox money to credit.',
)

export function accountSandboxRoutes({ db, clock }: { db: Db; clock: Clock }): Route[] {
  const tag = 'sandbox'
  return [
    companyRoute(
      { anyOf: ['cards:write'], sandboxOnly: true },
      {
        method: 'POST',
        path: '/api/v1/sandbox/funding',
        tag,
        id: 'creditSandboxFunds',
        summary: 'Credit sandbox funds',
        description: 'Adds money to the sandbox card account, without a fee.',
        refusals: ['amount_below_minimum', 'balance_limit_exceeded'],
        idempotent: true,
        body: NewFunding,
        responses: { 200: object({}, 'Empty', 'An empty object.') },
        handle: async ({ caller, idempotencyKey, body }) => {
          const amount = parseCents(body.amount)
          if (amount === 0n)
            throw new ApiError('amount_below_minimum', 'The amount must be at least "0.01".', { param: 'amount' })
          const digest = payloadDigest(body)
          const { replayed } = await deposit({ db, clock }, caller.scope, { amount, fee: ZERO, idempotencyKey, digest })
          return replayed ? { ...ok({}), headers: { 'idempotent-replayed': 'true' } } : ok({})
        },
      },
    ),
  ]
}
