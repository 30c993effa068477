// The worker of a test that is about operations only.
import { createRequestWorker, type RequestWorker, type RequestWorkerDeps } from '../../src/issuer/requests/worker.ts'
import type { Settler } from '../../src/ledger/settle.ts'
import { operationKind } from '../../src/operations/request-kind.ts'

export function createOperationsWorker(deps: RequestWorkerDeps & { settler: Settler }): RequestWorker {
  return createRequestWorker(deps, operationKind(deps))
}
