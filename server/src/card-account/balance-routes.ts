// GET /balance: what the card account holds now. account-statements shows how it came to that.
import { Type } from 'typebox'
import type { Db } from '../db/pool.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { findBalance } from '../ledger/queries.ts'
import { must } from '../lib/invariant.ts'
import { formatCents } from '../lib/money.ts'
import { Amount, EnvironmentSchema, field, object } from '../lib/wire.ts'

const Balance = object(
  {
    available: field(Amount, 'What can be spent now.'),
    held: field(Amount, 'What is reserved by operations that are not finished.'),
    total: field(Amount, 'Available and held together.'),
    currency: field(Type.String(), 'Always `USD`.'),
    environment: EnvironmentSchema,
  },
  'Balance',
  'What the card account has now.',
)

export function balanceRoutes({ db }: { db: Db }): Route[] {
  return [
    companyRoute(
      { anyOf: ['balance:read'] },
      {
        method: 'GET',
        path: '/api/v1/balance',
        tag: 'card account',
        id: 'getBalance',
        summary: 'Read the balance',
        description:
          'Returns what the card account has now: `available` can be spent, `held` is reserved by operations that are not finished.',
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
