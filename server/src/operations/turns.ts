// Remembers, for one queue and one process, whose turn is next and where in a company's queue the last claim ended.
// It only saves work and spreads it fairly: whatever it remembers or forgets, claim_operations claims nothing twice.
import { dropOldest } from '../lib/drop-oldest.ts'
import { ZERO_ID } from '../lib/ids.ts'
import type { ClaimedOperation, Turn } from './queries.ts'

/** A claim serves at least this many companies, if so many wait. */
const COMPANIES_PER_CLAIM = 8
/** How many positions are remembered. The oldest is forgotten first, which costs time and nothing else. */
const POSITIONS_MAX = 64
/** How often all positions are forgotten, to find what was committed late or queued again before them. */
const FORGET_MS = 5_000
/** If less is queued than fits into a claim, operations that are committed up to this late are still found by the next claim. */
const LATE_MS = 1_000

export interface Turns {
  /** Returns where a claim of at most this many operations begins. */
  next(limit: number): Turn
  /** Records what that claim took. */
  record(turn: Turn, taken: Taken, now: Date): void
}

/** How many operations were taken of each company, and the latest created_at of them, which due_at was when they were queued first. */
export type Taken = ReadonlyMap<string, { readonly count: number; readonly last: Date }>

export function createTurns(nowMs: () => number = () => performance.now()): Turns {
  const positions = new Map<string, Date>()
  let after = ZERO_ID
  let forgetAtMs = Number.NEGATIVE_INFINITY

  const remember = (companyId: string, position: Date) => {
    positions.delete(companyId)
    positions.set(companyId, position)
    if (positions.size > POSITIONS_MAX) dropOldest(positions)
  }
  return {
    next(limit) {
      if (nowMs() > forgetAtMs) {
        positions.clear()
        forgetAtMs = nowMs() + FORGET_MS
      }
      const sorted = [...positions].toSorted(([a], [b]) => (a < b ? -1 : 1))
      return {
        share: Math.max(1, Math.floor(limit / COMPANIES_PER_CLAIM)),
        after,
        companies: sorted.map(([companyId]) => companyId),
        positions: sorted.map(([, position]) => position),
      }
    },
    record(turn, taken, now) {
      const late = new Date(now.getTime() - LATE_MS)
      for (const [companyId, position] of positions) {
        if (!taken.has(companyId) && position > late) positions.set(companyId, late)
      }
      for (const [companyId, { count, last }] of taken) {
        if (count >= turn.share) remember(companyId, last)
        else if (positions.has(companyId)) remember(companyId, last < late ? last : late)
      }
      after = lastInTurn([...taken.keys()], after)
    },
  }
}

export function summarise(rows: readonly Pick<ClaimedOperation, 'company_id' | 'created_at'>[]): Taken {
  const taken = new Map<string, { count: number; last: Date }>()
  for (const { company_id: companyId, created_at: createdAt } of rows) {
    const company = taken.get(companyId)
    if (company === undefined) {
      taken.set(companyId, { count: 1, last: createdAt })
    } else {
      company.count += 1
      if (createdAt > company.last) company.last = createdAt
    }
  }
  return taken
}

/** Returns the company that was served last by a claim that began after the given one and wrapped around. */
function lastInTurn(companies: readonly string[], after: string): string {
  const wrapped = companies.filter((companyId) => companyId <= after)
  const candidates = wrapped.length > 0 ? wrapped : companies
  return candidates.reduce((a, b) => (a > b ? a : b), candidates[0] ?? after)
}
