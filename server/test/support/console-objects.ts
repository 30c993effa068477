// Objects for the pages of the console: enough of each kind that every page has something to show.
import type { TestCompany, TestServer } from './harness.ts'
import { until } from './wait.ts'

const DAY_MS = 86_400_000

interface Created {
  id: string
  status: string
  result: { cardId?: string }
}

/** The id to show, by the path before `$id`. A page whose path has a `$id` needs a row here. */
export type ConsoleObjects = Readonly<Record<string, string>>

export async function makeConsoleObjects(server: TestServer, company: TestCompany): Promise<ConsoleObjects> {
  const post = async <Body = Created>(path: string, body: object) => {
    const answer = await server.post<Body>(`/api/v1${path}`, company.key, body)
    if (answer.status >= 300) throw new Error(answer.text)
    return answer.body
  }
  /** Days and some minutes, so that charts and lists have something to show. */
  const later = (days: number) => server.clock.advance(days * DAY_MS + 437_219)
  const settle = ({ id }: Created) =>
    until(`operation ${id} is settled`, async () => {
      const { body } = await server.get<Created>(`/api/v1/operations/${id}`, company.key)
      return body.status === 'queued' || body.status === 'processing' ? undefined : body
    })
  await post('/sandbox/funding', { amount: '12500.00' })
  later(6)
  const ada = await post('/holders', { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' })
  const acme = await post('/holders', { name: 'Travel team', email: 'travel@example.com', kind: 'corporate' })
  const issue = (holderId: string, name: string, amount: string) =>
    post('/operations', { type: 'issue', productId: 'prod_card_virtual', holderId, name, amount }).then(settle)
  const { result } = await issue(ada.id, 'Online tools', '250.00')
  const cardId = result.cardId ?? ''
  later(5)
  const travel = await issue(acme.id, 'Travel', '1200.00')
  await post(`/cards/${travel.result.cardId}/freeze`, {})
  later(9)
  const inReview = await issue(ada.id, 'unknown', '25.00')
  await issue(ada.id, 'fail', '25.00')
  later(2)
  await post('/operations', { type: 'topup', cardId, amount: '80.00' }).then(settle)
  const pay = (amount: string, merchant: string, merchantCategory: string) =>
    post('/sandbox/transactions', { cardId, type: 'purchase', amount, merchant, merchantCategory, country: 'IE' })
  await pay('12.40', 'Corner Coffee', '5814')
  later(1)
  await pay('88.10', 'Example Cloud', '5818')
  await pay('400.00', 'Grand Hotel', '7011')
  const payment = await pay('9.90', 'Train tickets', '4112')
  const invoice = await post('/card-account/invoices', { amount: '250.00' })
  const endpoint = await post('/webhook-endpoints', { url: 'https://hooks.example.com/cardstock' })
  const { body: events } = await server.get<{ data: { id: string }[] }>('/api/v1/events?limit=1', company.key)
  return {
    '/cards': cardId,
    '/fund': invoice.id,
    '/holders': ada.id,
    '/operations': inReview.id,
    '/services': 'prod_service_esim',
    '/transactions': payment.id,
    '/developers/webhooks': endpoint.id,
    '/developers/events': events.data[0]?.id ?? '',
    '/operator/reviews': inReview.id,
    '/operator/companies': company.wireId,
    '/operator/catalogue': 'prod_card_virtual',
  }
}

/** Returns the address of a page, with an object in the place of `$id`. */
export function fillConsolePath(path: string, objects: ConsoleObjects): string {
  const [before = '', after] = path.split('/$id')
  if (after === undefined) return path
  const id = objects[before]
  if (id === undefined) throw new Error(`${path} needs an object to show: add one to console-objects.ts for ${before}.`)
  return `${before}/${id}${after}`
}
