// The end of every wait for an issuer: one that throws or never answers has left the outcome open.

/** A call that takes longer than this has an unknown outcome. Longer than the sandbox's slow operations. */
export const CALL_DEADLINE_MS = 30_000

interface Unknown {
  readonly kind: 'unknown'
  readonly reason: string
}

export async function withDeadline<Outcome>(
  call: Promise<Outcome>,
  deadlineMs: number = CALL_DEADLINE_MS,
): Promise<Outcome | Unknown> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<Unknown>((resolve) => {
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
