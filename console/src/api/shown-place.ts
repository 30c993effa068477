// The company and the environment that the page shows, which every link on it keeps.
import { choice, findPlace } from './choice.ts'
import { findMe } from './me.ts'
import { joinPlace, type Place } from './place.ts'
import { queryClient } from './query-client.ts'

export function findShownPlace(): Place | undefined {
  const me = findMe(queryClient)
  if (me === undefined) return undefined
  const { company, environment } = findPlace(me, choice.get())
  return company === undefined ? undefined : { companyId: company.id, environment }
}

/** Returns the address of a page of the console, with its place, so that a copied link and a new tab show the same page. */
export function addressOf(href: string): string {
  const [path = '', ...query] = href.split(/(?=[?#])/)
  return [joinPlace(findShownPlace(), path), ...query].join('')
}
