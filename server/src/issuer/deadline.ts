// The end of every wait for an issuer: one that throws or never answers has left the outcome open.

interface Unknown {
  readonly kind: 'unknown'
  readonly reason: string
}

export async function withDeadline<Outcome>(call: Promise<Outcome>, deadlineMs: number): Promise<Outcome | Unknown> {
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
