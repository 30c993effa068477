// /admin/v1/products: an operator adds, changes and retires products, and sets their prices.
import { Type } from 'typebox'
import { type CatalogDeps, changeProduct, createProduct, retire, setPrice } from '../catalog/change.ts'
import type { Product } from '../catalog/catalog.ts'
import { OPERATION_TYPES } from '../catalog/pricing.ts'
import { findProduct, listPrices } from '../catalog/queries.ts'
import { CatalogProduct, NewPricing, PriceSchema, toCatalogProduct, toPriceWire } from '../catalog/schema.ts'
import { requireFound, requireId } from '../errors.ts'
import { answerPage } from '../http/page.ts'
import { created, ok, operatorRoute, type Route } from '../http/route.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { IdParams, object, pageOf, pageQuery } from '../lib/wire.ts'

const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'a name of 1 to 100 characters' })
const description = Type.String({ maxLength: 500, description: 'a text of at most 500 characters' })
const position = Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'a whole number from 0 to 1000000' })

const NewProduct = object(
  {
    id: Type.String({
      pattern: '^prod_[a-z0-9_]{1,60}$',
      description: 'prod_ and 1 to 60 lower-case letters, digits or underscores',
    }),
    kind: Type.Enum(['card', 'service']),
    name,
    description,
    position: Type.Optional(position),
    pricing: NewPricing,
    topupPricing: Type.Optional(NewPricing),
  },
  'NewProduct',
)
const ProductChange = Type.Object(
  { name: Type.Optional(name), description: Type.Optional(description), position: Type.Optional(position) },
  { additionalProperties: false, minProperties: 1, title: 'ProductChange' },
)
const NewPrice = object(
  {
    operationType: Type.Enum([...OPERATION_TYPES]),
    pricing: NewPricing,
    validFrom: Type.Optional(
      Type.String({ format: 'date-time', description: 'a date-time such as 2027-01-01T00:00:00Z; left out: at once' }),
    ),
    companyId: Type.Optional(
      Type.String({ maxLength: 100, description: 'the only company that pays it; left out: every other company' }),
    ),
  },
  'NewPrice',
)

export function productRoutes(deps: CatalogDeps & { cursors: CursorCodec }): Route[] {
  return [...productOnlyRoutes(deps), ...priceRoutes(deps)]
}

function productOnlyRoutes(deps: CatalogDeps): Route[] {
  const { catalog } = deps
  const tag = 'admin'
  const toWire = (product: Product) =>
    toCatalogProduct(product, (type) => catalog.findPrice(product.id, type, undefined))
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/products',
      tag,
      summary: 'List all products with their general prices',
      query: object({}),
      responses: { 200: object({ data: Type.Array(CatalogProduct) }) },
      handle: async () => {
        await catalog.refresh()
        return ok({ data: catalog.list().map(toWire) })
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/products',
      tag,
      summary: 'Add a product, for sale at once',
      body: NewProduct,
      responses: { 201: CatalogProduct },
      handle: async ({ actor, body }) => created('/admin/v1/products', toWire(await createProduct(deps, actor, body))),
    }),
    operatorRoute({
      method: 'PATCH',
      path: '/admin/v1/products/:id',
      tag,
      summary: "Change a product's name, description or position",
      params: IdParams,
      body: ProductChange,
      responses: { 200: CatalogProduct },
      handle: async ({ actor, params, body }) => ok(toWire(await changeProduct(deps, actor, params.id, body))),
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/products/:id/retire',
      tag,
      summary: 'Stop selling a product; cards of it can still be topped up',
      params: IdParams,
      responses: { 200: CatalogProduct },
      handle: async ({ actor, params }) => ok(toWire(await retire(deps, actor, params.id))),
    }),
  ]
}

function priceRoutes(deps: CatalogDeps & { cursors: CursorCodec }): Route[] {
  const { db, cursors } = deps
  const tag = 'admin'
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/products/:id/prices',
      tag,
      summary: "List a product's prices, past and to come, the last set first",
      params: IdParams,
      query: object(pageQuery),
      responses: { 200: pageOf(PriceSchema) },
      handle: async ({ params, query }) => {
        requireFound(await findProduct(db, params.id))
        return answerPage({
          cursors,
          name: `prices of ${params.id}`,
          query,
          fetch: (page) => listPrices(db, params.id, page),
          idOf: (row) => row.id,
          toWire: toPriceWire,
        })
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/products/:id/prices',
      tag,
      summary: 'Set a price from a given time on, for every company or for one',
      params: IdParams,
      body: NewPrice,
      responses: { 201: PriceSchema },
      handle: async ({ actor, params, body }) => {
        const { companyId, ...wanted } = body
        const own = companyId === undefined ? {} : { companyId: requireId('co', companyId) }
        const row = await setPrice(deps, actor, params.id, { ...wanted, ...own })
        return created(`/admin/v1/products/${params.id}/prices`, toPriceWire(row))
      },
    }),
  ]
}
