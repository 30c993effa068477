// An issuer that throws or never answers has left the outcome open.
import type { IssuerOutcome } from './port.ts'

export async function withDeadline(call: Promise<IssuerOutcome>, deadlineMs: number): Promise<IssuerOutcome> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<IssuerOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'unknown', reason: `no answer within ${deadlineMs} ms` }), deadlineMs)
  })
  try {
    return await Promise.race([call, deadline])
  } catch (error) {
    return { kind: 'unknown', reason: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}
