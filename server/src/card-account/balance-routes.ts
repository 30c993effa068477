// GET /balance: what the card account holds now, and below how much it is low. account-statements shows how it came to that.
import { type Static, Type } from 'typebox'
import type { Db } from '../db/pool.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { findBalance, findBalanceAlert, setBalanceAlert } from '../ledger/queries.ts'
import { must } from '../lib/invariant.ts'
import { formatCents, parseCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
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

const threshold = Type.Union([Amount, Type.Null()], {
  hint: 'an amount such as "500.00", or null',
  description: 'Below this amount the available funds are low. Null: never.',
})

const BalanceAlertChange = object({ threshold }, 'BalanceAlertChange', 'When the balance is low.')

const BalanceAlert = object(
  { threshold, isLow: field(Type.Boolean(), 'Whether less than `threshold` is available now.') },
  'BalanceAlert',
  'When the balance is low, and whether it is.',
)

async function readAlert(db: Db, scope: Scope): Promise<Static<typeof BalanceAlert>> {
  const { available, threshold: below } = must(await findBalanceAlert(db, scope))
  return { threshold: below === null ? null : formatCents(below), isLow: below !== null && available < below }
}

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
    companyRoute(
      { anyOf: ['balance:read'] },
      {
        method: 'GET',
        path: '/api/v1/balance/alert',
        tag: 'card account',
        id: 'getBalanceAlert',
        summary: 'Read when the balance is low',
        description: 'Returns below which amount the available funds are low, and whether they are.',
        query: object({}),
        responses: { 200: BalanceAlert },
        handle: async ({ caller: { scope } }) => ok(await readAlert(db, scope)),
      },
    ),
    companyRoute(
      { anyOf: ['funding:write'] },
      {
        method: 'PATCH',
        path: '/api/v1/balance/alert',
        tag: 'card account',
        id: 'updateBalanceAlert',
        summary: 'Set when the balance is low',
        description: 'Sets below which amount the available funds are low. The overview of the console then warns.',
        body: BalanceAlertChange,
        responses: { 200: BalanceAlert },
        handle: async ({ caller: { scope }, body }) => {
          await setBalanceAlert(db, scope, body.threshold === null ? null : parseCents(body.threshold))
          return ok(await readAlert(db, scope))
        },
      },
    ),
  ]
}
