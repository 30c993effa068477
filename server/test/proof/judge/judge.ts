// The judge of every proof: returns each violation of the promises in ARCHITECTURE.md and docs/, as a sentence with ids. Simulation,
// crash points and chaos use it alike. It only reads.
import type { Connection } from '../../../src/db/pool.ts'
import { judgeChain } from './chain.ts'
import { judgeClients } from './clients.ts'
import { judgeEnds } from './ends.ts'
import type { Evidence } from './evidence.ts'
import { judgeInvoices } from './invoices.ts'
import { judgeIsolation } from './isolation.ts'
import { judgeIssuer, judgeSandboxIssuer } from './issuers.ts'
import { judgeLedger } from './ledger.ts'
import { judgeOperations } from './operations.ts'
import { readSnapshotOf, type Snapshot } from './snapshot.ts'
import { judgeWebhooks } from './webhooks.ts'

export async function judge(connection: Connection, evidence: Evidence = {}): Promise<string[]> {
  return judgeSnapshot(await readSnapshotOf(connection), evidence)
}

export function judgeSnapshot(snapshot: Snapshot, evidence: Evidence): string[] {
  const { issuers = [], arrivals, quotaOf, isQuiet = false } = evidence
  return [
    ...judgeLedger(snapshot),
    ...judgeChain(snapshot, isQuiet),
    ...judgeOperations(snapshot, quotaOf),
    ...judgeIsolation(snapshot),
    ...judgeInvoices(snapshot),
    ...issuers.flatMap((book) => judgeIssuer(snapshot, book)),
    // A book of the sandbox replaces the sandbox issuer's records.
    ...(issuers.some(({ environment }) => environment === 'sandbox') ? [] : judgeSandboxIssuer(snapshot)),
    ...judgeClients(snapshot, evidence),
    ...judgeWebhooks(snapshot, arrivals, isQuiet),
    ...(isQuiet ? judgeEnds(snapshot) : []),
  ]
}
