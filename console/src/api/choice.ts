// The company and the environment that a tab shows. A new tab begins with those that were chosen last.
import type { Environment } from '@cardstock/sdk'
import { createStore } from '~/lib/store.ts'
import { findKept, keep } from '~/lib/kept.ts'
import type { Me, MeCompany } from './me.ts'

export interface Choice {
  readonly companyId: string | undefined
  readonly environment: Environment
}

const read = (name: string) => findKept('tab', name) ?? findKept('browser', name)

/** The sandbox unless live was chosen: a mistake there costs nothing. */
export const choice = createStore<Choice>({
  companyId: read('company'),
  environment: read('environment') === 'live' ? 'live' : 'sandbox',
})

export function choose(change: Partial<Choice>): void {
  const next = { ...choice.get(), ...change }
  choice.set(next)
  for (const place of ['tab', 'browser'] as const) {
    keep(place, 'company', next.companyId)
    keep(place, 'environment', next.environment)
  }
}

/** Returns the chosen company if the person belongs to it, else their first one, or undefined if they belong to none. */
export function findCompany(me: Me, companyId: string | undefined): MeCompany | undefined {
  return me.companies.find(({ id }) => id === companyId) ?? me.companies[0]
}
