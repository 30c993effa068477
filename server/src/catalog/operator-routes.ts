// /admin/v1/products: an operator adds, changes and retires products, and sets their prices.
import { Type } from 'typebox'
import { type CatalogDeps, changeProduct, createProduct, retire, setPrice } from './change.ts'
import type { Product } from './catalog.ts'
import { OPERATION_TYPES } from './pricing.ts'
import { withCompanyNames } from '../access/company-names.ts'
import { findProduct, listPrices } from './queries.ts'
import { CatalogProduct, NewPricing, PriceSchema, toCatalogProduct, toPriceWire } from './schema.ts'
import { requireFound, requireId } from '../errors.ts'
import { answerPage } from '../http/page.ts'
import { created, ok, operatorRoute, type Route } from '../http/route.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { field, IdParams, object, pageOf, pageQuery, printableText, visibleText } from '../lib/wire.ts'

const name = field(visibleText(100, 'a name'), 'The name of the product.')
const description = field(printableText(500, 'a text'), 'What the product is.')
const position = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  hint: 'a whole number from 0 to 1000000',
  description: 'Products are listed by this number, the lowest first.',
})

const NewProduct = object(
  {
    id: Type.String({
      pattern: '^prod_[a-z0-9_]{1,60}$',
      hint: 'prod_ and 1 to 60 lower-case letters, digits or underscores',
      description: 'An id that you choose: `prod_` and 1 to 60 lower-case letters, digits or underscores.',
    }),
    kind: field(Type.Enum(['card', 'service']), 'A card product is issued; a service product is ordered.'),
    name,
    description,
    position: Type.Optional(position),
    pricing: field(NewPricing, 'The price of issuing the card, or of the service.'),
    topupPricing: Type.Optional(field(NewPricing, 'The price of topping up the card. Only for cards.')),
  },
  'ProductCreate',
  'A product to add.',
)
const ProductChange = Type.Object(
  { name: Type.Optional(name), description: Type.Optional(description), position: Type.Optional(position) },
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'ProductChange',
    description: 'What to change. Fields that are left out stay as they are.',
  },
)
const NewPrice = object(
  {
    operationType: field(Type.Enum([...OPERATION_TYPES]), 'The type of operation that the price is for.'),
    pricing: field(NewPricing, 'How to compute the fee, and which amounts to allow.'),
    validFrom: Type.Optional(
      Type.String({
        format: 'date-time',
        hint: 'a date-time such as 2027-01-01T00:00:00Z',
        description:
          'When the price takes effect. It must not be in the past. By default, the price takes effect immediately.',
      }),
    ),
    companyId: Type.Optional(
      Type.String({
        maxLength: 100,
        hint: 'the id of a company',
        description:
          'The only company that pays this price. By default, every company without a price of its own pays it.',
      }),
    ),
  },
  'PriceCreate',
  'A price to set.',
)

const CatalogList = object(
  { data: field(Type.Array(CatalogProduct), 'All products.') },
  'CatalogProductList',
  'The catalogue.',
)

export function catalogOperatorRoutes(deps: CatalogDeps & { cursors: CursorCodec }): Route[] {
  return [...productOnlyRoutes(deps), ...priceRoutes(deps)]
}

function productOnlyRoutes(deps: CatalogDeps): Route[] {
  const { catalog } = deps
  const tag = 'products'
  const toWire = (product: Product) =>
    toCatalogProduct(product, (type) => catalog.findPrice(product.id, type, undefined))
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/products',
      tag,
      id: 'listCatalogProducts',
      summary: 'List the catalogue',
      description: 'Lists all products, including retired ones, with the general prices.',
      query: object({}),
      responses: { 200: CatalogList },
      handle: async () => {
        await catalog.refresh()
        return ok({ data: catalog.list().map(toWire) })
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/products',
      tag,
      id: 'createProduct',
      summary: 'Add a product',
      description: 'Adds a product with its first prices. It is for sale immediately.',
      refusals: ['product_exists', 'catalog_limit'],
      body: NewProduct,
      responses: { 201: CatalogProduct },
      handle: async ({ actor, body }) => created('/admin/v1/products', toWire(await createProduct(deps, actor, body))),
    }),
    operatorRoute({
      method: 'PATCH',
      path: '/admin/v1/products/:id',
      tag,
      id: 'updateProduct',
      summary: 'Change a product',
      description: 'Changes the name, the description or the position of a product.',
      params: IdParams,
      body: ProductChange,
      responses: { 200: CatalogProduct },
      handle: async ({ actor, params, body }) => ok(toWire(await changeProduct(deps, actor, params.id, body))),
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/products/:id/retire',
      tag,
      id: 'retireProduct',
      summary: 'Retire a product',
      description: 'Takes a product off sale. Cards of it can still be topped up.',
      params: IdParams,
      responses: { 200: CatalogProduct },
      handle: async ({ actor, params }) => ok(toWire(await retire(deps, actor, params.id))),
    }),
  ]
}

function priceRoutes(deps: CatalogDeps & { cursors: CursorCodec }): Route[] {
  const { db, cursors } = deps
  const tag = 'products'
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/products/:id/prices',
      tag,
      id: 'listPrices',
      summary: 'List the prices of a product',
      description: 'Lists past, present and future prices, the last one set first.',
      params: IdParams,
      query: object(pageQuery),
      responses: { 200: pageOf(PriceSchema) },
      handle: async ({ params, query }) => {
        requireFound(await findProduct(db, params.id))
        return answerPage({
          cursors,
          name: `prices of ${params.id}`,
          query,
          fetch: async (slice) => withCompanyNames(db, await listPrices(db, params.id, slice)),
          idOf: (row) => row.id,
          toWire: toPriceWire,
        })
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/products/:id/prices',
      tag,
      id: 'setPrice',
      summary: 'Set a price',
      description:
        'Sets a price from a given time on, for all companies or for one. Operations that were accepted before keep their price.',
      refusals: ['product_retired', 'catalog_limit'],
      params: IdParams,
      body: NewPrice,
      responses: { 201: PriceSchema },
      handle: async ({ actor, params, body }) => {
        const { companyId, ...wanted } = body
        const own = companyId === undefined ? {} : { companyId: requireId('co', companyId, 'companyId') }
        const row = await setPrice(deps, actor, params.id, { ...wanted, ...own })
        return created(`/admin/v1/products/${params.id}/prices`, toPriceWire(row))
      },
    }),
  ]
}
