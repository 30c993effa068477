// What the steps of the Lithic provider share: the API, the settings, and small helpers about outcomes.
import { createHash } from 'node:crypto'
import type { Done, Facts, Found, History, ProviderObject, Reading, Refused, Sent, Step } from '../../provider.ts'
import type { Api, Changed, Read } from './api.ts'
import type { CardMode, LithicSettings } from './settings.ts'

export interface Kit {
  readonly api: Api
  readonly settings: LithicSettings
}

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

/** A card keeps the mode in which it was made. One that an operator linked has the mode of the settings. */
export function modeOf({ settings }: Kit, { facts }: ProviderObject): CardMode {
  const { mode } = facts
  return mode === 'balance' || mode === 'limit' ? mode : settings.mode
}

export function needsFundingAccount(): Refused {
  return refuse(
    'funding_account_missing',
    'LITHIC_FUNDING_ACCOUNT is not set, so no money can be moved to or from cards.',
  )
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

/** Returns the UUID of a step's transfer, which is always the same for the same request and step. RFC 9562 leaves version 8 to us. */
export function tokenOf(requestToken: string, stepName: string): string {
  const hex = createHash('sha256').update(`cardstock lithic ${requestToken} ${stepName}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Returns a whole number as JSON has it. An amount of our protocol is far below the limit. */
export function toInteger(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < 0n) throw new RangeError('not a number that JSON can carry')
  return Number(value)
}
