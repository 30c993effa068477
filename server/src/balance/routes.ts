// GET /balance: what the card account holds now. account-statements shows how it came to that.
import { Type } from 'typebox'
import type { Db } from '../db/pool.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { findBalance } from '../ledger/queries.ts'
import { must } from '../lib/invariant.ts'
import { formatCents } from '../lib/money.ts'
import { Amount, EnvironmentSchema, object } from '../lib/wire.ts'

const Balance = object(
  { available: Amount, held: Amount, total: Amount, currency: Type.String(), environment: EnvironmentSchema },
  'Balance',
)

export function balanceRoutes({ db }: { db: Db }): Route[] {
  return [
    companyRoute(
      { anyOf: ['balance:read'] },
      {
        method: 'GET',
        path: '/api/v1/balance',
        tag: 'card account',
        summary: 'Read the balance of the card account',
        query: object({}),
        responses: { 200: Balance },
        handle: async ({ caller: { scope } }) => {
          const { available, held } = must(await findBalance(db, scope))
          return ok({
            available: formatCents(available),
            held: formatCents(held),
            total: formatCents(available + held),
            currency: 'USD',
            environment: scope.environment,
          })
        },
      },
    ),
  ]
}
