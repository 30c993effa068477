// Lists carry what they show: the holder, the card and the product of each row, and who ordered it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { createCustomer, type Customer, issueBody, perform, serviceBody } from '../../support/operations.ts'
import { join, type MeBody } from '../people/people.ts'
import { expectError } from '../expect-error.ts'

interface Named {
  id: string
  holder?: { id: string; name: string }
  card?: { id: string; name: string; last4: string }
  product?: { id: string; name: string }
  recipient?: string
  createdBy?: { kind: string; id: string; name: string }
}

const server = await TestServer.start()
let customer: Customer
let card: Required<Named>['card']
afterAll(() => server.stop())
beforeAll(async () => {
  customer = await createCustomer(server)
  const issued = await perform(server, customer, issueBody(customer, { name: 'Travel' }))
  card = (await read<Required<Named>>(`/operations/${issued.id}`)).card
})

const read = async <Body>(path: string) => (await server.get<Body>(`/api/v1${path}`, customer.key)).body
const list = async (path: string) => (await read<{ data: Named[] }>(path)).data
const titles = async (path: string) => (await list(path)).map(({ id }) => id)

describe('names', () => {
  it('of an operation are those of its holder, card, product and recipient, in lists and alone', async () => {
    const topup = await perform(server, customer, { type: 'topup', cardId: card.id, amount: '10.00' })
    const service = await perform(server, customer, serviceBody())
    const holder = { id: customer.holderId, name: 'Ada Lovelace' }
    const rows = new Map((await list('/operations?limit=10')).map((row) => [row.id, row]))
    expect(rows.get(topup.id)).toMatchObject({ holder, card: { name: 'Travel', last4: card.last4 } })
    expect(rows.get(topup.id)?.product?.name).toBe('Virtual card')
    expect(rows.get(service.id)).toMatchObject({ recipient: 'ada@example.com', product: { id: 'prod_service_esim' } })
    expect(rows.get(service.id)).not.toHaveProperty('card')
    expect(await read(`/operations/${topup.id}`)).toEqual(rows.get(topup.id))
  })

  it('of an issue that failed are those of its holder alone', async () => {
    const failed = await perform(server, customer, issueBody(customer, { name: 'fail' }))
    const shown = await read<Named>(`/operations/${failed.id}`)
    expect(shown.holder).toEqual({ id: customer.holderId, name: 'Ada Lovelace' })
    expect(shown).not.toHaveProperty('card')
  })

  it('are those of the own company only', async () => {
    const other = await createCustomer(server)
    const issued = await perform(server, other, issueBody(other))
    const { body } = await server.get<{ data: Named[] }>('/api/v1/operations', other.key)
    expect(body.data.map(({ id, holder }) => [id, holder?.id])).toEqual([[issued.id, other.holderId]])
  })
})

describe('createdBy', () => {
  it('is the person with the name of that moment, whatever they are called later', async () => {
    const browser = await join(server, 'owner', customer)
    const { body: me } = await browser.get<MeBody>('/console/v1/me')
    const by = { kind: 'person', id: me.id, name: 'The owner' }
    const inCompany = { company: customer.wireId }
    const { body: made } = await browser.post<Named>('/api/v1/operations', issueBody(customer), inCompany)
    const { body: invoice } = await browser.post<Named>('/api/v1/card-account/invoices', { amount: '10' }, inCompany)
    expect((await browser.send('PATCH', '/console/v1/me', { body: { name: 'Somebody Else' } })).status).toBe(200)
    expect((await read<Named>(`/operations/${made.id}`)).createdBy).toEqual(by)
    expect((await list('/card-account/invoices'))[0]).toMatchObject({ id: invoice.id, createdBy: by })
  })
})

describe('search', () => {
  it.each([
    ['/holders?q=ada%20l', 1],
    ['/holders?q=ADA@EX', 1],
    ['/holders?q=lovelace', 0],
    ['/holders?q=ad%25', 0],
    ['/cards?q=trav', 1],
    ['/cards?q=ada', 1],
    ['/transactions?q=corner', 1],
    ['/transactions?q=shop', 0],
  ])('%s finds %i', async (path, count) => {
    const pay = { cardId: card.id, type: 'purchase', amount: '1.00', merchant: 'Corner shop' }
    if ((await list('/transactions')).length === 0) await server.post('/api/v1/sandbox/transactions', customer.key, pay)
    const found = (await list(path)).filter(({ card: on }) => on === undefined || on.id === card.id)
    expect(found).toHaveLength(path.startsWith('/cards?q=ada') ? (await list('/cards')).length : count)
  })

  it('finds cards and payments by the last four digits, and adds up what it finds', async () => {
    expect(await titles(`/cards?q=${card.last4}`)).toContain(card.id)
    expect(await titles(`/cards?q=${card.last4.slice(0, 2)}`)).toContain(card.id)
    const payments = await list(`/transactions?q=${card.last4}`)
    expect(payments.length).toBeGreaterThan(0)
    expect(payments.every((payment) => payment.card?.last4 === card.last4)).toBe(true)
    const totals = await read<{ data: { count: number }[] }>(`/transactions/totals?q=${card.last4}`)
    expect(totals.data.reduce((sum, { count }) => sum + count, 0)).toBe(payments.length)
    expect(await read('/transactions/totals?q=nobody')).toEqual({ data: [] })
  })

  it.each(['/holders', '/cards', '/transactions', '/transactions/totals'])(
    '%s refuses fewer than two characters',
    async (path) => {
      for (const q of ['', 'a', '%20%20', 'x'.repeat(101)]) {
        expectError(await server.get(`/api/v1${path}?q=${q}`, customer.key), 'validation_failed')
      }
    },
  )
})
