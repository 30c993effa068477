// The company and the environment in an address. A link to a page of a company names both, so that it shows a colleague the same page. Pages
// of a person or of the programme belong to no company, and links without a place still work: they open in the company that was chosen last.
import { PATTERNS, PLACE_PREFIX } from '~/paths.ts'

export interface Place {
  readonly companyId: string
  readonly environment: 'sandbox' | 'live'
}

const PLACED = new RegExp(`^${PLACE_PREFIX}/([\\w-]{1,100})/(sandbox|live)(?=/|$)`)

/** Returns the place in the path of an address, and the path of the page without it. */
export function splitPlace(pathname: string): { readonly place: Place | undefined; readonly path: string } {
  const [start = '', companyId = '', environment] = PLACED.exec(pathname) ?? []
  if (start === '') return { place: undefined, path: pathname }
  const path = pathname.slice(start.length) || '/'
  // An address with two places, or with a place before a page that has none, is no page.
  if (!isPlaced(path) || PLACED.test(path)) return { place: undefined, path: pathname }
  return { place: { companyId, environment: environment === 'live' ? 'live' : 'sandbox' }, path }
}

/** Returns the path of an address: that of the page, with the place in front if the page belongs to a company. */
export function joinPlace(place: Place | undefined, path: string): string {
  if (place === undefined || !isPlaced(path) || PLACED.test(path)) return path
  return `${PLACE_PREFIX}/${place.companyId}/${place.environment}${path === '/' ? '' : path}`
}

/** Reports whether a page shows the objects of one company in one environment. */
export function isPlaced(path: string): boolean {
  return ![PATTERNS.signIn, PATTERNS.myAccount, PATTERNS.programme].some(
    (other) => path === other || path.startsWith(`${other}/`),
  )
}
