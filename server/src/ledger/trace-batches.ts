// Records a span for each batch of the intake, and begins the trace of each operation that it accepts.
import type { Tracing } from '../telemetry/tracing.ts'
import type { Candidate } from './items.ts'
import type { Verdict } from './verdict.ts'

type Run = (candidates: readonly Candidate[]) => Promise<Verdict[]>

/** Without traces the batches run as they are. */
export function traceBatches(run: Run, tracing: Tracing | undefined): Run {
  if (tracing === undefined) return run
  return async (candidates) => {
    const batch = tracing.startBatch(candidates.map(({ span }) => span))
    const verdicts = await run(candidates).catch((error: unknown) => {
      batch.fail(error)
      throw error
    })
    verdicts.forEach((verdict, index) => {
      const candidate = candidates[index]
      if (verdict.kind !== 'accepted' || candidate === undefined) return
      const { id, type } = verdict.operation
      batch.accept({ id, type, environment: candidate.scope.environment }, candidate.span)
    })
    batch.end()
    return verdicts
  }
}
