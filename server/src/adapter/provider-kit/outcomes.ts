// What the steps of every provider share: small helpers about outcomes, and about what an earlier step found.
import type { Done, Facts, Found, History, ProviderObject, Reading, Refused, Sent, Step } from '../provider.ts'
import type { Changed, Read } from './judge.ts'

export type ReadOutcome = Awaited<ReturnType<Reading['read']>>

export function refuse(code: string, message: string): Refused {
  return { kind: 'refused', code, message }
}

export function done(facts: Facts, objects?: readonly ProviderObject[]): Done {
  return { kind: 'done', facts, ...(objects === undefined ? {} : { objects }) }
}

export function step(next: Step): { readonly kind: 'step'; readonly step: Step } {
  return { kind: 'step', step: next }
}

/** Returns what a change came to, with the facts of the one that was carried out. */
export function toSent<Value>(changed: Changed<Value>, use: (value: Value) => Sent): Sent {
  return changed.kind === 'changed' ? use(changed.value) : changed
}

export function toFound<Value>(read: Read<Value>, use: (value: Value) => Found): Found {
  return read.kind === 'read' ? use(read.value) : read
}

/** As toFound, for a reading of something that must exist. */
export function toReading<Value>(read: Read<Value>, use: (value: Value) => ReadOutcome): ReadOutcome {
  return read.kind === 'read' ? use(read.value) : { kind: 'unknown', reason: read.reason }
}

/**
 * Makes sure that a refusal is about a request that was not carried out. A request that is repeated with the same key may be refused because
 * the first one was carried out, so what the provider has counts more than the refusal.
 */
export async function confirmRefusal(sent: Sent, lookUp: () => Promise<Found>): Promise<Sent> {
  if (sent.kind !== 'refused') return sent
  const found = await lookUp()
  return found.kind === 'absent' ? sent : found
}

/** Returns the refusal of a step that has ended so, or undefined. */
export function refusalIn(history: History, name: string): Refused | undefined {
  const ended = history[name]
  return ended?.outcome === 'refused' ? refuse(ended.code, ended.message) : undefined
}

/** Returns the facts of a step that was carried out, or undefined. */
export function factsIn(history: History, name: string): Facts | undefined {
  const ended = history[name]
  return ended?.outcome === 'done' ? ended.facts : undefined
}

/** Returns the fact as text, or undefined if there is none. */
export function textFact(facts: Facts | undefined, name: string): string | undefined {
  const value = facts?.[name]
  return typeof value === 'string' ? value : undefined
}
