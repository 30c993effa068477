// Looks up what became of a request that may have been sent. A look-up carries nothing out, so it may be made any number of times.
import type { Environment } from '../../lib/scope.ts'
import { isLastLookUp } from '../evidence.ts'
import type { Permits } from '../gate.ts'
import type { AnyOutcome, Issuer } from '../port.ts'
import { conclude, type ConcludeDeps } from './conclude.ts'
import type { DueRow, RequestKind, RequestRow } from './kind.ts'
import type { DueRequest } from './queries.ts'

export interface LookUpCall {
  readonly issuer: Issuer
  /** One of them is used by the call. */
  readonly permits: Permits
}

export async function lookUpOnce<
  Row extends RequestRow,
  Outcome extends AnyOutcome,
  Decision extends { status: string },
>(
  deps: ConcludeDeps,
  kind: RequestKind<Row, Outcome, Decision>,
  row: DueRow<Row>,
  { issuer, permits }: LookUpCall,
): Promise<void> {
  const startedAt = deps.clock.now()
  const isLast = isLastLookUp({ done: row.look_up_count, delaysMs: issuer.lookUpDelaysMs })
  const outcome = await permits.call(kind.subjectOf(row, 'look_up'), () => kind.lookUp(issuer, row, isLast))
  await conclude(deps, kind, row, { purpose: 'look_up', since: row.status_at, startedAt, outcome, issuer })
}

/** Looks up requests of one kind, whatever that kind needs of them. */
export interface LookUps {
  readonly callKinds: readonly DueRequest['kind'][]
  /** Reads requests of this kind that were claimed, and returns how each of them is looked up. */
  prepare(environment: Environment, due: readonly DueRequest[]): Promise<PreparedLookUp[]>
}

export interface PreparedLookUp {
  /** Names the request in the log. */
  readonly about: Record<string, unknown>
  run(deps: ConcludeDeps, call: LookUpCall): Promise<void>
}

export function lookUpsOf<Row extends RequestRow, Outcome extends AnyOutcome, Decision extends { status: string }>(
  kind: RequestKind<Row, Outcome, Decision>,
): LookUps {
  return {
    callKinds: kind.callKinds,
    async prepare(environment, due) {
      const mine = due.filter((request) => kind.callKinds.includes(request.kind))
      if (mine.length === 0) return []
      const claimed = { companyIds: mine.map((request) => request.company_id), ids: mine.map((request) => request.id) }
      const rows = await kind.listClaimed(environment, claimed)
      return rows.map((row) => ({
        about: kind.aboutOf(row.id),
        run: (deps, call) => lookUpOnce(deps, kind, row, call),
      }))
    },
  }
}

/** Reads claimed requests of all kinds. */
export async function prepareLookUps(
  kinds: readonly LookUps[],
  environment: Environment,
  due: readonly DueRequest[],
): Promise<PreparedLookUp[]> {
  const prepared = await Promise.all(kinds.map((kind) => kind.prepare(environment, due)))
  return prepared.flat()
}
