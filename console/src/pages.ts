// The table of all pages. The router, the menu, the palette, the accessibility tests and the screenshots read it.
// A group of pages has a table of its own in its folder; this file only puts them in order.
import type { Page } from './page.ts'
import { accountPages } from './pages/account/pages.ts'
import { cardPages } from './pages/cards/pages.ts'
import { developerPages } from './pages/developers/pages.ts'
import { fundPages } from './pages/fund/pages.ts'
import { holderPages } from './pages/holders/pages.ts'
import { myAccountPages } from './pages/my-account/pages.ts'
import { operationPages } from './pages/operations/pages.ts'
import { operatorPages } from './pages/operator/pages.ts'
import { overviewPages } from './pages/overview/pages.ts'
import { servicePages } from './pages/services/pages.ts'
import { spendPages } from './pages/spend/pages.ts'
import { teamPages } from './pages/team/pages.ts'
import { transactionPages } from './pages/transactions/pages.ts'

/** In the order of the menu. */
export const PAGES: readonly Page[] = [
  ...overviewPages,
  ...accountPages,
  ...fundPages,
  ...cardPages,
  ...holderPages,
  ...servicePages,
  ...operationPages,
  ...transactionPages,
  ...spendPages,
  ...developerPages,
  ...teamPages,
  ...operatorPages,
  ...myAccountPages,
]
