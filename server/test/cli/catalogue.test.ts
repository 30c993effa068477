// `cardstock admin product` and `cardstock admin price` against a running server.
import type { CatalogProduct, Page, Price } from '@cardstock/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestServer } from '../support/harness.ts'
import { cardstock } from './in-process.ts'

let server: TestServer
beforeAll(async () => {
  server = await TestServer.start()
})
afterAll(() => server.stop())

const run = (...args: string[]) =>
  cardstock(['admin', ...args], { CARDSTOCK_URL: server.baseUrl, CARDSTOCK_OPERATOR_TOKEN: server.operatorToken })
const words = (line: string) => line.split(' ')
async function json<Value>(...args: string[]): Promise<Value> {
  const { code, out, err } = await run(...args, '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as Value
}

test('an operator adds a card, changes it, plans a price for one company, and retires the card', async () => {
  const company = await server.createCompany()
  const id = 'prod_card_gold'
  const product = `product create ${id} --kind card --name Gold`
  const prices = '--price flatFee=5.00 minimumAmount=20.00 --topup-price rate=0.015'
  const made = await json<CatalogProduct>(...words(`${product} ${prices}`))
  expect(made).toMatchObject({ pricing: { flatFee: '5.00', minimumAmount: '20.00' }, topupPricing: { rate: '0.015' } })
  expect(await json('product', 'update', id, '--name', 'Golden card')).toMatchObject({ name: 'Golden card' })
  const later = `--from 2030-01-01T00:00:00Z --company ${company.wireId}`
  const price = await json<Price>(...words(`price set ${id} --type issue --price flatFee=4.00 ${later}`))
  expect(price).toMatchObject({ productId: id, companyId: company.wireId, validFrom: '2030-01-01T00:00:00.000Z' })
  expect((await json<Page<Price>>('price', 'list', id)).data[0]).toEqual({ ...price, companyName: 'Test company' })
  const listed = await run('product', 'list')
  expect(listed.out).toMatch(/^prod_card_gold .* flatFee=5.00 minimumAmount=20.00 +rate=0.015 +Golden card$/m)
  const retired = await run('product', 'retire', id)
  expect(retired.out).toMatch(/^retired: +2026-03-10/m)
})

test('an invalid rule is wrong usage, and a refusal of the server has exit code 1 and its code', async () => {
  const wrong = await run('price', 'set', 'prod_service_vpn', '--type', 'service', '--price', 'discount=1')
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('flatFee, rate')])
  const set = 'price set prod_service_vpn --type service --price fixedPrice=1'
  const past = await run(...words(`${set} --from 2020-01-01T00:00:00Z --json`))
  expect([past.code, JSON.parse(past.err)]).toMatchObject([1, { error: { code: 'validation_failed' } }])
  const nothing = await run('product', 'update', 'prod_service_vpn')
  expect([nothing.code, nothing.err]).toEqual([2, expect.stringContaining('Give --name, --description or --position')])
})
