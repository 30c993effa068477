// Looks up what became of a request that may have been sent. A look-up carries nothing out, so it may be made any number of times.
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
  /** Names a request in the log. */
  aboutOf(id: string): Record<string, unknown>
  lookUp(deps: ConcludeDeps, due: DueRequest, call: LookUpCall): Promise<void>
}

export function lookUpsOf<Row extends RequestRow, Outcome extends AnyOutcome, Decision extends { status: string }>(
  kind: RequestKind<Row, Outcome, Decision>,
): LookUps {
  return {
    callKinds: kind.callKinds,
    aboutOf: kind.aboutOf,
    lookUp: (deps, due, call) => lookUpOnce(deps, kind, kind.fromDue(due), call),
  }
}
