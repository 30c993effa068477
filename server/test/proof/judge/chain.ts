// Computes the hash chain of every account again, from docs/ledger.md, and compares it with the seals.
import { createHash } from 'node:crypto'
import { groupBy, scopeName } from './scopes.ts'
import type { EntryRow, SealRow, Snapshot } from './snapshot.ts'

export function judgeChain({ accounts, entries, seals }: Snapshot, isQuiet: boolean): string[] {
  const entriesOf = groupBy(entries, scopeName)
  const sealsOf = groupBy(seals, scopeName)
  return accounts.flatMap((account) => {
    const name = scopeName(account)
    const start = sha256(Buffer.from(`cardstock ledger ${account.company_id} ${account.environment}`))
    const own = { entries: entriesOf.get(name) ?? [], seals: sealsOf.get(name) ?? [] }
    return judgeSeals(name, start, own, isQuiet)
  })
}

function judgeSeals(
  name: string,
  start: Buffer,
  { entries, seals }: { entries: readonly EntryRow[]; seals: readonly SealRow[] },
  isQuiet: boolean,
): string[] {
  const problems: string[] = []
  const hashes = new Map<bigint, Buffer>()
  let hash = start
  for (const entry of entries) {
    hash = sha256(Buffer.concat([hash, Buffer.from(textOf(entry))]))
    hashes.set(entry.number, hash)
  }
  for (const seal of seals) {
    const wanted = hashes.get(seal.number)
    if (wanted === undefined) problems.push(`seal ${seal.number} of ${name} has no entry`)
    else if (!wanted.equals(seal.hash))
      problems.push(`seal ${seal.number} of ${name} does not match the entries up to it`)
  }
  const sealed = seals.at(-1)?.number ?? 0n
  if (isQuiet && sealed !== BigInt(entries.length)) {
    problems.push(`${name} has ${entries.length} entries, but only ${sealed} of them are sealed`)
  }
  return problems
}

function textOf(entry: EntryRow): string {
  const { number, kind, reference, available_delta, held_delta, balance, held, created_at } = entry
  return [number, kind, reference, available_delta, held_delta, balance, held, created_at.getTime()].join('|')
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
