// A call of an issuer, made safe: one that throws or never answers has left the outcome open, and what came back can be
// stored.
import { toStorable } from '../lib/storable.ts'
import type { IssuerOutcome } from './port.ts'

export async function withDeadline(call: Promise<IssuerOutcome>, deadlineMs: number): Promise<IssuerOutcome> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<IssuerOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'unknown', reason: `no answer within ${deadlineMs} ms` }), deadlineMs)
  })
  try {
    return storable(await Promise.race([call, deadline]))
  } catch (error) {
    return storable({ kind: 'unknown', reason: error instanceof Error ? error.message : String(error) })
  } finally {
    clearTimeout(timer)
  }
}

/** Without what PostgreSQL cannot hold: an answer that cannot be stored would keep its operation open for ever. */
function storable(outcome: IssuerOutcome): IssuerOutcome {
  const { balance, ...rest } = outcome as IssuerOutcome & { balance?: unknown }
  const stored = JSON.parse(toStorable(JSON.stringify(rest))) as IssuerOutcome
  return balance === undefined ? stored : ({ ...stored, balance } as IssuerOutcome)
}
