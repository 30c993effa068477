// The worker of a test that is about operations, or about others that it only looks up.
import type { LookUps } from '../../src/issuer/requests/look-up.ts'
import { createRequestWorker, type RequestWorker, type RequestWorkerDeps } from '../../src/issuer/requests/worker.ts'
import type { Settler } from '../../src/ledger/settle.ts'
import { operationKind } from '../../src/operations/request-kind.ts'

export function createOperationsWorker(
  deps: RequestWorkerDeps & { settler: Settler },
  others: readonly LookUps[] = [],
): RequestWorker {
  return createRequestWorker(deps, operationKind(deps), others)
}
