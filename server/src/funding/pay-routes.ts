// GET /pay/{token}: the payer's page. It needs no key: whoever has the link may see what to pay, and nothing more.
import { Type } from 'typebox'
import { notFound } from '../errors.ts'
import { type Answer, publicRoute, type Route } from '../http/route.ts'
import { object } from '../lib/wire.ts'
import type { FundingDeps } from './deps.ts'
import { PAY_PAGE_CSP } from './pay-page-look.ts'
import { renderNoInvoice, renderPayPage } from './pay-page.ts'
import { createPayLookUps } from './pay-look-ups.ts'

export function payRoutes(deps: Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>): Route[] {
  const findPayable = createPayLookUps(deps)
  return [
    publicRoute({
      method: 'GET',
      path: '/pay/:token',
      tag: 'funding',
      summary: 'The page to pay an invoice, for people',
      params: object({ token: Type.String() }),
      responses: { 200: Type.String() },
      handle: async ({ params, headers }) => {
        const found = await findPayable(params.token)
        if (found !== undefined) return html(200, renderPayPage({ ...found, now: deps.clock.now() }))
        // A browser gets a page that says what to do, a program the error body of the whole server.
        if (headers.accept?.includes('text/html') !== true) throw notFound()
        return html(404, renderNoInvoice())
      },
    }),
  ]
}

function html(status: number, body: string): Answer {
  return {
    status,
    body,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAY_PAGE_CSP },
  }
}
