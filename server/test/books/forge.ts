// Makes a statement up: with another amount, and with balances, hashes and a digest that fit it. Anybody can do this, because the
// hashes have no key.
import { createHash } from 'node:crypto'
import type { Statement } from '@cardstock/sdk'
import { digestOf } from '@cardstock/sdk/statements'
import { formatCents } from '../../src/lib/money.ts'

const toCents = (amount: string) => BigInt(amount.replace('.', ''))
const uuidOf = (id: string) =>
  id.slice(id.indexOf('_') + 1).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** The first entry must be a deposit; it becomes so much larger. */
export function forge(statement: Statement, more: string): Statement {
  const plus = (amount: string) => formatCents(toCents(amount) + toCents(more))
  const data = statement.data.map((entry, index) => ({
    ...entry,
    balance: plus(entry.balance),
    ...(index === 0 ? { amount: plus(entry.amount), availableDelta: plus(entry.availableDelta) } : {}),
  }))
  const forged = {
    ...statement,
    data,
    closingBalance: plus(statement.closingBalance),
    incoming: plus(statement.incoming),
    proof: { ...statement.proof, hashAfter: chainOf({ ...statement, data }) },
  }
  return { ...forged, proof: { ...forged.proof, digest: digestOf(forged) } }
}

function chainOf({ data, proof }: Statement): string {
  let hash = Buffer.from(proof.hashBefore, 'hex')
  let held = toCents(proof.openingHeld)
  for (const [index, entry] of data.entries()) {
    const heldDelta = toCents(entry.heldDelta)
    held += heldDelta
    const figures = [toCents(entry.availableDelta), heldDelta, toCents(entry.balance), held]
    const text = [
      proof.firstNumber + index,
      entry.kind,
      uuidOf(entry.reference),
      ...figures,
      Date.parse(entry.createdAt),
    ]
    hash = createHash('sha256').update(hash).update(text.join('|')).digest()
  }
  return hash.toString('hex')
}
