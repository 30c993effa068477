// GET /products: what a company can buy, at the prices that it pays now.
import { Type } from 'typebox'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { field, object } from '../lib/wire.ts'
import type { Catalog } from './catalog.ts'
import { ProductSchema, toProduct } from './schema.ts'

const ProductList = object(
  { data: field(Type.Array(ProductSchema), 'All products.') },
  'ProductList',
  'What can be ordered.',
)

export function catalogRoutes({ catalog }: { catalog: Catalog }): Route[] {
  return [
    companyRoute(
      { anyOf: [] },
      {
        method: 'GET',
        path: '/api/v1/products',
        tag: 'products',
        id: 'listProducts',
        summary: 'List products',
        description: 'Lists the card products and services that can be ordered, with their prices.',
        query: object({}),
        responses: { 200: ProductList },
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
