// GET /pay/{token}: the payment page. It needs no key. Anyone who has the link may see what to pay, and nothing more.
import { Type } from 'typebox'
import { notFound } from '../errors.ts'
import { type Answer, publicRoute, type Route } from '../http/route.ts'
import { field, object } from '../lib/wire.ts'
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
      id: 'showPayPage',
      summary: 'Show the page to pay an invoice',
      description:
        'An HTML page for the payer, with the exact amount, the address and a QR code. Everyone who has the link can see it. An unknown link is answered with 404 and a page that says so.',
      params: object({ token: field(Type.String(), 'The secret part of the link.') }),
      responses: { 200: Type.String({ contentMediaType: 'text/html' }) },
      handle: async ({ params, headers }) => {
        const found = await findPayable(params.token)
        if (found !== undefined) return html(200, renderPayPage({ ...found, now: deps.clock.now() }))
        // A browser gets a page that says what to do; a program gets the usual error body.
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
