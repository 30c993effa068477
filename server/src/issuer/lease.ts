// Computes how long a call to an issuer may take. This is the only place that computes leases, so that no lease is shorter
// than the call that it covers.

/** A worker that was suspended for longer than this must not send, because others may look the request up after the lease. */
export function sendWithinMs(issuerTimeoutMs: number): number {
  return issuerTimeoutMs / 3
}

/** Returns the end of the longest call that the worker could have begun, plus a margin. After it the worker is presumed dead. */
export function leaseUntil(now: Date, issuerTimeoutMs: number): Date {
  const leaseMs = sendWithinMs(issuerTimeoutMs) + issuerTimeoutMs + issuerTimeoutMs / 6
  return new Date(now.getTime() + leaseMs)
}
