// How long whoever is about to ask an issuer may take. The only place that computes a lease, so that none can be shorter
// than the call that it covers.

/** A claimer that was suspended for longer than this must not send: others may look the request up once the lease is over. */
export function sendWithinMs(issuerTimeoutMs: number): number {
  return issuerTimeoutMs / 3
}

/** The end of the longest call that the claimer could have begun, and some room. After it the claimer is taken for dead. */
export function leaseUntil(now: Date, issuerTimeoutMs: number): Date {
  const leaseMs = sendWithinMs(issuerTimeoutMs) + issuerTimeoutMs + issuerTimeoutMs / 6
  return new Date(now.getTime() + leaseMs)
}
