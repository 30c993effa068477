// The one client of the console: the SDK, with the browser's session instead of a key. The console gets all its data through it.
import type { Page } from '@cardstock/sdk'
import { CardstockConsole } from '@cardstock/sdk/console'

export const api = new CardstockConsole({ baseUrl: window.location.origin })

/** A company's view of the server in one environment, with the same calls as the SDK's Cardstock. */
export type CompanyClient = ReturnType<typeof api.company>

/** The rows from one cursor of a list to the next. The SDK calls it a page; in the console a page is what the person sees. */
export type Batch<Row> = Page<Row>
