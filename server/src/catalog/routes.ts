// GET /products: what a company can buy, at the prices that it pays now.
import { Type } from 'typebox'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { object } from '../lib/wire.ts'
import type { Catalog } from './catalog.ts'
import { ProductSchema, toProduct } from './schema.ts'

export function catalogRoutes({ catalog }: { catalog: Catalog }): Route[] {
  return [
    companyRoute(
      { anyOf: [] },
      {
        method: 'GET',
        path: '/api/v1/products',
        tag: 'products',
        summary: 'List card products and services with their prices',
        query: object({}),
        responses: { 200: object({ data: Type.Array(ProductSchema) }) },
        handle: async ({ caller }) => {
          const forSale = catalog.list().filter(({ retiredAt }) => retiredAt === null)
          const { companyId } = caller.scope
          const toWire = (product: (typeof forSale)[number]) =>
            toProduct(product, (type) => catalog.findPrice(product.id, type, companyId))
          return ok({ data: forSale.map(toWire) })
        },
      },
    ),
  ]
}
