// What the operator of the adapter sees and decides about requests and holders, on its control port. Everyone who knows the secret of the
// issuer may use it.
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { ApiError, notFound } from '../../../errors.ts'
import { ok, publicRoute, type Route } from '../../../http/route.ts'
import { HOLDER_FIELDS_MAX, VALUE_LENGTH_MAX } from '../../../issuer/http/holder-details-schema.ts'
import { requireControlSecret } from '../../../issuer/http/control-secret.ts'
import { formatId } from '../../../lib/ids.ts'
import { formatCents } from '../../../lib/money.ts'
import { object, visibleText } from '../../../lib/wire.ts'
import { TokenParams } from '../../../issuer/http/protocol.ts'
import { findDetailProblems } from '../../holder-details/check.ts'
import { upsertDetails } from '../../holder-details/queries.ts'
import type { CardProvider, HolderDetails } from '../../provider.ts'
import type { KernelDeps } from '../carry-out.ts'
import { listSteps, type StepRow } from '../queries.ts'
import { decide } from './decide.ts'
import { DECISIONS, listOpen, type OpenRow } from './queries.ts'
import { reconcileCards } from './reconcile.ts'

/** More than a person looks through. */
const OPEN_REQUESTS_MAX = 500

export interface CardControlDeps extends KernelDeps {
  readonly secret: string
  /** Goes on with open requests at once. */
  wake(): void
}

const Anything = Type.Unknown()
const who = visibleText(100, 'who decides')
const Decision = object({ decision: Type.Enum([...DECISIONS]), by: who, reason: visibleText(2000, 'a reason') })
const HolderParams = object({ holder: Type.String({ pattern: '^hld_[0-9a-f]{32}$', hint: 'the id of a holder' }) })
const Details = object({
  by: who,
  details: Type.Record(Type.String({ maxLength: 50 }), Type.String({ maxLength: VALUE_LENGTH_MAX }), {
    maxProperties: HOLDER_FIELDS_MAX,
  }),
})

export function cardControlRoutes(deps: CardControlDeps): Route[] {
  const { db, provider } = deps
  const tag = 'control'
  const check = (authorization: string | undefined) => requireControlSecret(deps.secret, authorization)
  return [
    publicRoute({
      method: 'GET',
      path: '/control/requests',
      tag,
      id: 'listOpenRequests',
      summary: 'List requests without an outcome',
      description: 'Returns the requests whose outcome is open, with their steps; those that wait for a person first.',
      responses: { 200: Anything },
      handle: async ({ headers }) => {
        check(headers.authorization)
        return ok({ data: await listWithSteps(deps) })
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/control/requests/:token/decide',
      tag,
      id: 'decideRequest',
      summary: 'Decide about a request that waits',
      description:
        'Looks it up once more, sends the open step once more if that cannot carry it out twice, or states that it was not carried out.',
      params: TokenParams,
      body: Decision,
      responses: { 200: Anything },
      handle: async ({ params: { token }, body, headers }) => {
        check(headers.authorization)
        return ok(await decideNow(deps, token, body))
      },
    }),
    publicRoute({
      method: 'GET',
      path: '/control/holder-fields',
      tag,
      id: 'listHolderFields',
      summary: 'List what the provider needs to know of a holder',
      description: 'Returns the details that the provider needs of a holder, beside the name and the e-mail address.',
      responses: { 200: Anything },
      handle: async ({ headers }) => {
        check(headers.authorization)
        return ok({ data: provider.holderFields })
      },
    }),
    publicRoute({
      method: 'PUT',
      path: '/control/holders/:holder/details',
      tag,
      id: 'linkHolder',
      summary: 'State what the provider needs to know of a holder',
      description: 'Stores the details of a holder. They are used when the first card of the holder is issued.',
      params: HolderParams,
      body: Details,
      responses: { 200: Anything },
      handle: async ({ params: { holder }, body: { by, details }, headers }) => {
        check(headers.authorization)
        requireDetails(provider, details)
        await upsertDetails(db, { id: holder, companyId: null, details, by, now: deps.clock.now() })
        return ok({ holder, fields: Object.keys(details) })
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/control/cards/reconcile',
      tag,
      id: 'reconcileCards',
      summary: 'Compare the cards with the provider',
      description: 'Compares every card at the provider with the books of the adapter. It changes nothing.',
      body: object({}),
      responses: { 200: Anything },
      handle: async ({ headers }) => {
        check(headers.authorization)
        const { owed, atProvider, ...result } = await reconcileCards(db, provider)
        return ok({ ...result, owed: formatCents(owed), atProvider: formatCents(atProvider) })
      },
    }),
  ]
}

async function decideNow(deps: CardControlDeps, token: string, body: Static<typeof Decision>) {
  const result = await decide(deps, { token, ...body })
  if (result.kind === 'not_found') throw notFound()
  if (result.kind === 'refused') throw new ApiError('already_resolved', result.message)
  deps.wake()
  return { token, step: result.step, decision: body.decision }
}

function requireDetails({ holderFields }: CardProvider, details: HolderDetails): void {
  const problems = findDetailProblems(holderFields, details)
  if (problems.length === 0) return
  throw new ApiError('validation_failed', problems.map(({ field, message }) => `${field}: ${message}`).join(' '))
}

async function listWithSteps({ db }: CardControlDeps) {
  const rows = await listOpen(db, OPEN_REQUESTS_MAX)
  const steps = await listSteps(
    db,
    rows.map(({ token }) => token),
  )
  return rows.map((row) =>
    toOpenRequest(
      row,
      steps.filter(({ token }) => token === row.token),
    ),
  )
}

function toOpenRequest(row: OpenRow, steps: readonly StepRow[]) {
  const { token, company_id, content, created_at, waiting_since, waiting_reason, due_at } = row
  return {
    token,
    companyId: formatId('co', company_id),
    kind: content.kind,
    request: content,
    createdAt: created_at,
    waitingSince: waiting_since,
    waitingReason: waiting_reason,
    nextAttemptAt: waiting_since === null ? due_at : null,
    steps: steps.map(({ name, state, shows, facts, code, message, reason, times_sent, sent_at, ended_at }) => ({
      name,
      state,
      sent: shows,
      found: facts,
      refusal: code === null ? null : { code, message },
      reason,
      timesSent: times_sent,
      sentAt: sent_at,
      endedAt: ended_at,
    })),
  }
}
