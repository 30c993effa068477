// Makes a source of reviews from what differs between the kinds of objects that can be in review: how such an object is read, described
// and decided. Every kind refuses what does not fit in the same order: not found, not a decision about this kind, not in review.
import type { TSchema } from 'typebox'
import { type Actor, formatActorId } from '../access/audit.ts'
import { readCompanyNames } from '../access/company-names.ts'
import type { Permission } from '../access/permissions.ts'
import type { Db } from '../db/pool.ts'
import { ApiError, notFound, requireFound } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import type { ReviewSlice } from '../lib/slice.ts'
import type { Environment, Scope } from '../lib/scope.ts'
import { findDecision } from './queries.ts'
import { type Resolvable, resolve } from './resolve.ts'
import type { Review, ReviewDecision, ReviewSource } from './review.ts'

export interface ReviewedRow {
  readonly company_id: string
  readonly environment: Environment
  readonly id: string
  readonly status: string
}

/** What a kind says about one of its objects; the source adds whose it is and what is called how. */
type Described = Omit<Review, 'id' | 'object' | 'companyId' | 'companyName' | 'environment' | 'title' | 'dossier'> & {
  readonly dossier: Omit<Review['dossier'], 'names'>
}

/** What an object in review and the ids in its request are called now. */
export interface Naming {
  readonly title: string
  readonly names: Readonly<Record<string, string>>
}

export interface ReviewKind<Row extends ReviewedRow, End extends { status: string }> extends Resolvable<Row, End> {
  /** What messages call it. */
  readonly noun: string
  readonly resource: TSchema
  readonly permission: Permission
  list(page: ReviewSlice): Promise<Row[]>
  find(scope: Scope, id: string): Promise<Row | undefined>
  /** An operator names an object by its id alone. */
  findAnywhere(id: string): Promise<Row | undefined>
  describe(row: Row): Promise<Described>
  /** Refuses fields of a decision that no object of this kind has. */
  requireFields?(decision: ReviewDecision): void
  /** Returns the end that a decision means for this object, or refuses it. */
  endOf(row: Row, decision: ReviewDecision, now: Date): End | Promise<End>
  /** What the audit log has besides the decision. */
  detailsOf?(row: Row): Readonly<Record<string, unknown>>
  /** Returns the object as the API shows it. */
  show(row: Row): unknown
}

export function createReviewSource<Row extends ReviewedRow, End extends { status: string }>(
  deps: { db: Db; clock: Clock },
  kind: ReviewKind<Row, End>,
  nameOf: (row: Row) => Naming | Promise<Naming>,
): ReviewSource {
  const { prefix, resource, permission } = kind
  const show = async (row: Row, companies: ReadonlyMap<string | null, string>): Promise<Review> => {
    const [{ title, names }, described] = await Promise.all([nameOf(row), kind.describe(row)])
    return {
      id: formatId(prefix, row.id),
      object: kind.object,
      title,
      companyId: formatId('co', row.company_id),
      companyName: must(companies.get(row.company_id)),
      environment: row.environment,
      ...described,
      dossier: { ...described.dossier, names: { ...names } },
    }
  }
  return {
    prefix,
    resource,
    permission,
    list: async (page) => {
      const rows = await kind.list(page)
      const companies = await readCompanyNames(
        deps.db,
        rows.map((row) => row.company_id),
      )
      return Promise.all(rows.map(async (row) => ({ id: row.id, review: await show(row, companies) })))
    },
    find: async (id) => {
      const row = await kind.findAnywhere(id)
      if (row === undefined) return undefined
      const companies = await readCompanyNames(deps.db, [row.company_id])
      if (row.status === 'manual_review') return show(row, companies)
      const decision = await readDecision(deps.db, kind, row)
      return decision && { ...(await show(row, companies)), decision }
    },
    resolve: async (actor, id, decision, within) => {
      const row = requireFound(await (within === undefined ? kind.findAnywhere(id) : kind.find(within, id)))
      kind.requireFields?.(decision)
      // A company is not told which operator decided.
      return kind.show(await resolveReview(deps, kind, row, { actor, decision, isOperator: within === undefined }))
    },
  }
}

/** Carries a decision out. Refuses it if the object is not in review: it was already decided, or its outcome is known. */
export async function resolveReview<Row extends ReviewedRow, End extends { status: string }>(
  deps: { db: Db; clock: Clock },
  kind: ReviewKind<Row, End>,
  row: Row,
  { actor, decision, isOperator = false }: { actor: Actor; decision: ReviewDecision; isOperator?: boolean },
): Promise<Row> {
  if (row.status !== 'manual_review') throw await alreadyResolved(deps.db, kind, row, isOperator)
  const verdict = await resolve(deps, kind, row, {
    actor,
    from: ['manual_review'],
    end: await kind.endOf(row, decision, deps.clock.now()),
    by: 'review',
    details: { ...decision, ...kind.detailsOf?.(row) },
  })
  if (verdict === null) throw notFound()
  if (verdict === 'changed') {
    throw new ApiError(
      'already_resolved',
      `More money arrived for this ${kind.noun} since you read it. Read it again, then decide.`,
    )
  }
  if (verdict !== 'resolved') throw await alreadyResolved(deps.db, kind, { ...row, status: verdict }, isOperator)
  return must(await kind.find({ companyId: row.company_id, environment: row.environment }, row.id))
}

/** Returns who ended the review of an object, and how. Undefined if the object never was in review. */
async function readDecision<Row extends ReviewedRow, End extends { status: string }>(
  db: Db,
  { prefix }: ReviewKind<Row, End>,
  { id }: Row,
): Promise<Review['decision']> {
  const found = await findDecision(db, formatId(prefix, id))
  if (found === undefined) return undefined
  const { action, actor, actor_kind: actorKind, actor_id: actorId, actor_name: actorName, details } = found
  const textOf = (name: string) => (typeof details[name] === 'string' ? details[name] : null)
  return {
    outcome: action.slice(action.indexOf('.') + 1) as NonNullable<Review['decision']>['outcome'],
    by: actorName ?? actor,
    byId: formatActorId(actorKind, actorId),
    at: found.created_at.toISOString(),
    reason: textOf('reason'),
    evidence: textOf('evidence'),
  }
}

/** Says which decision counted: another operator's, or an earlier one of the same operator, whose answer was lost. */
async function alreadyResolved<Row extends ReviewedRow, End extends { status: string }>(
  db: Db,
  kind: ReviewKind<Row, End>,
  row: Row,
  isOperator: boolean,
): Promise<ApiError> {
  const { noun } = kind
  const { status } = row
  const decision = isOperator ? await readDecision(db, kind, row) : undefined
  if (decision === undefined) {
    return new ApiError('already_resolved', `This ${noun} is not in manual review; it is ${status}.`, {
      details: { status },
    })
  }
  const { by, at, outcome } = decision
  return new ApiError(
    'already_resolved',
    `${by} decided this ${noun} at ${String(at)}: it is ${status}. That decision counts; a later one is not applied.`,
    { details: { status, outcome, by, at } },
  )
}
