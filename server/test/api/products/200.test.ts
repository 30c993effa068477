// GET /products: the catalogue with its prices, for any key, and the same in both environments.
import { afterAll, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'

interface Product {
  id: string
  kind: string
  pricing: Record<string, string | null>
  topupPricing: Record<string, string | null> | null
}

const server = await TestServer.start()
const company = await server.createCompany()
afterAll(() => server.stop())

const list = async (key: string) => (await server.get<{ data: Product[] }>('/api/v1/products', key)).body

it('shows the price of a card: 3.00 and 0.2 % to issue, 0.2 % to top up, at least 10.00', async () => {
  const { data } = await list(company.key)
  const card = data.find(({ id }) => id === 'prod_card_virtual')
  expect(card).toEqual({
    id: 'prod_card_virtual',
    kind: 'card',
    name: 'Virtual card',
    description: 'A virtual USD card for online payments',
    currency: 'USD',
    pricing: {
      flatFee: '3.00',
      rate: '0.002',
      minimumFee: null,
      minimumAmount: '10.00',
      maximumAmount: null,
      fixedPrice: null,
    },
    topupPricing: {
      flatFee: null,
      rate: '0.002',
      minimumFee: null,
      minimumAmount: '10.00',
      maximumAmount: null,
      fixedPrice: null,
    },
  })
})

it('shows services without a top-up price, and marks a fixed price', async () => {
  const services = (await list(company.key)).data.filter(({ kind }) => kind === 'service')
  expect(services.length).toBeGreaterThan(1)
  for (const service of services) expect(service.topupPricing).toBeNull()
  expect(services.find(({ id }) => id === 'prod_service_vpn')?.pricing).toMatchObject({
    fixedPrice: '49.00',
    flatFee: null,
    rate: null,
  })
  expect(services.find(({ id }) => id === 'prod_service_esim')?.pricing).toMatchObject({
    flatFee: '0.50',
    rate: '0.01',
    minimumAmount: '3.00',
    maximumAmount: '200.00',
  })
})

it('is the same for a live key and for a key of any scope', async () => {
  const expected = await list(company.key)
  expect(await list(await server.createKey(company.id, { environment: 'live' }))).toEqual(expected)
  expect(await list(await server.createKey(company.id, { scopes: ['webhooks:read'] }))).toEqual(expected)
})
