// `cardstock admin product …`: manages the products that companies can buy.
import type { CatalogProduct, NewPricing, NewProduct, ProductChange } from '@cardstock/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../failure.ts'
import { type Column, formatFields, formatTable, type Output } from '../output.ts'
import { formatPricing, pricingOption } from './pricing.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<CatalogProduct>[] = [
  { title: 'ID', cell: (product) => product.id },
  { title: 'KIND', cell: (product) => product.kind },
  { title: 'RETIRED', cell: (product) => product.retiredAt },
  { title: 'PRICE', isText: true, cell: (product) => formatPricing(product.pricing) },
  { title: 'TOP-UP', isText: true, cell: (product) => formatPricing(product.topupPricing) },
  { title: 'NAME', isText: true, cell: (product) => product.name },
]

export function registerProduct(program: Command, context: Context): void {
  const group = program.command('product').description('the products that companies can buy')
  registerList(group, context)
  registerCreate(group, context)
  registerUpdate(group, context)
  registerRetire(group, context)
}

function registerList(group: Command, { connect, output }: Context): void {
  group
    .command('list')
    .description('list all products, including retired ones, with their general prices')
    .action(async () => {
      const list = await connect().products.list()
      output().result(list, () => formatTable(COLUMNS, list.data, output()))
    })
}

interface CreateOptions {
  kind: NewProduct['kind']
  name: string
  description: string
  position?: number
  price?: NewPricing
  topupPrice?: NewPricing
}

function registerCreate(group: Command, { connect, output }: Context): void {
  group
    .command('create')
    .description('add a product, which is for sale immediately')
    .argument('<id>', 'id of the product, such as prod_card_gold')
    .addOption(new Option('--kind <kind>', 'kind of product').choices(['card', 'service']).makeOptionMandatory())
    .requiredOption('--name <name>', 'name of the product')
    .option('--description <text>', 'what it is', '')
    .option('--position <n>', 'position in the list; last if left out', parsePosition)
    .addOption(pricingOption('--price', 'what issuing the card, or the service, costs; free if left out'))
    .addOption(pricingOption('--topup-price', 'what topping up the card costs; free if left out'))
    .action(async (id: string, options: CreateOptions) => {
      const { kind, name, description, position, price = {}, topupPrice } = options
      const product: NewProduct = { id, kind, name, description, pricing: price }
      if (position !== undefined) product.position = position
      if (kind === 'card' || topupPrice !== undefined) product.topupPricing = topupPrice ?? {}
      print(output(), await connect().products.create(product))
    })
}

function registerUpdate(group: Command, { connect, output }: Context): void {
  group
    .command('update')
    .description("change a product's name, description or position")
    .argument('<id>', 'id of the product')
    .option('--name <name>', 'new name')
    .option('--description <text>', 'new description')
    .option('--position <n>', 'new position in the list', parsePosition)
    .action(async (id: string, change: ProductChange) => {
      if (Object.keys(change).length === 0) throw new UsageError('Give --name, --description or --position.')
      print(output(), await connect().products.update(id, change))
    })
}

function registerRetire(group: Command, { connect, output }: Context): void {
  group
    .command('retire')
    .description('stop selling a product permanently; its cards can still be topped up')
    .argument('<id>', 'id of the product')
    .action(async (id: string) => print(output(), await connect().products.retire(id)))
}

function parsePosition(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number from 0 to 1000000.')
}

function print(output: Output, product: CatalogProduct): void {
  output.result(product, () =>
    formatFields({
      id: product.id,
      name: product.name,
      description: product.description,
      kind: product.kind,
      position: String(product.position),
      price: formatPricing(product.pricing),
      ...(product.topupPricing === null ? {} : { 'top-up price': formatPricing(product.topupPricing) }),
      retired: product.retiredAt ?? 'no',
    }),
  )
}
