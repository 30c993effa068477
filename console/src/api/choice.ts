// The company and the environment that a tab shows: those of its address, or those that were chosen last. A new tab begins with the last choice.
import type { Environment } from '@cardstock/sdk'
import { findKept, keep } from '~/lib/kept.ts'
import { type Place, splitPlace } from './place.ts'
import { createStore } from '~/lib/store.ts'
import type { Me, MeCompany } from './me.ts'

export interface Choice {
  /** The place in the address. Undefined for pages that belong to no company, and for links without a place. */
  readonly linked: Place | undefined
  readonly companyId: string | undefined
  readonly environment: Environment
}

const read = (name: string) => findKept('tab', name) ?? findKept('browser', name)

/** The sandbox unless live was chosen: a mistake there costs nothing. */
export const choice = createStore<Choice>({
  linked: undefined,
  companyId: read('company'),
  environment: read('environment') === 'live' ? 'live' : 'sandbox',
})

/** Call it whenever the address changes. */
export function followAddress(pathname: string): void {
  const { place: linked } = splitPlace(pathname)
  const { linked: former } = choice.get()
  if (linked?.companyId === former?.companyId && linked?.environment === former?.environment) return
  choice.set({ ...choice.get(), linked })
}

/**
 * Keeps the place that a page shows. One that was only linked to is kept for this tab: a link to live from a colleague must not make live the place
 * where the next tab begins.
 */
export function keepPlace(place: Place, isChosen: boolean): void {
  const { linked, companyId, environment } = choice.get()
  if (companyId !== place.companyId || environment !== place.environment) choice.set({ linked, ...place })
  for (const where of isChosen ? (['tab', 'browser'] as const) : (['tab'] as const)) {
    keep(where, 'company', place.companyId)
    keep(where, 'environment', place.environment)
  }
}

export interface Found {
  /** Undefined for people who belong to no company. */
  readonly company: MeCompany | undefined
  readonly environment: Environment
  /** The place of a link to a company that the person does not belong to. */
  readonly elsewhere?: Place
}

/** Returns what to show: the place in the address if the person belongs to its company, else the last choice, else their first company. */
export function findPlace(me: Me, { linked, companyId, environment }: Choice): Found {
  const companyOf = (wanted: string | undefined) => me.companies.find(({ id }) => id === wanted)
  const linkedCompany = companyOf(linked?.companyId)
  if (linked !== undefined && linkedCompany !== undefined)
    return { company: linkedCompany, environment: linked.environment }
  const company = companyOf(companyId) ?? me.companies[0]
  return { company, environment, ...(linked === undefined ? {} : { elsewhere: linked }) }
}
