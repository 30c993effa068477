// `cardstock admin price …`: lists and sets the prices of products.
import { type NewPrice, type NewPricing, OPERATION_TYPES, type Price } from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { limitOption, printList, take } from '../list.ts'
import { type Column, formatFields } from '../output.ts'
import { formatPricing, pricingOption } from './pricing.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<Price>[] = [
  { title: 'ID', cell: (price) => price.id },
  { title: 'TYPE', cell: (price) => price.operationType },
  { title: 'VALID FROM', cell: (price) => price.validFrom },
  { title: 'COMPANY', cell: (price) => price.companyId ?? 'all' },
  { title: 'COMPANY NAME', isText: true, cell: (price) => price.companyName },
  { title: 'PRICE', cell: (price) => formatPricing(price.pricing) },
  { title: 'SET', cell: (price) => price.createdAt },
]

export function registerPrice(program: Command, { connect, output }: Context): void {
  const group = program.command('price').description('what products cost, from when on and for whom')
  group
    .command('list')
    .description("list a product's past and future prices, last set first")
    .argument('<product>', 'id of the product')
    .addOption(limitOption())
    .action(async (product: string, { limit }: { limit: number }) => {
      const { products } = connect()
      printList(output(), await take((query) => products.listPrices(product, query), limit), COLUMNS)
    })
  group
    .command('set')
    .description('set a price from a given time on, for every company or for one')
    .argument('<product>', 'id of the product')
    .addOption(new Option('--type <type>', 'what the price is for').choices([...OPERATION_TYPES]).makeOptionMandatory())
    .addOption(pricingOption('--price', 'the rules, such as flatFee=3.00 rate=0.002').makeOptionMandatory())
    .option('--from <time>', 'when it takes effect, such as 2027-01-01T00:00:00Z; immediately if left out')
    .option('--company <id>', 'the only company that pays it; if left out, every company without its own price')
    .action(async (product: string, options: SetOptions) => {
      const price: NewPrice = { operationType: options.type, pricing: options.price }
      if (options.from !== undefined) price.validFrom = options.from
      if (options.company !== undefined) price.companyId = options.company
      const set = await connect().products.addPrice(product, price)
      output().result(set, () =>
        formatFields({
          id: set.id,
          product: set.productId,
          type: set.operationType,
          'valid from': set.validFrom,
          company: set.companyId ?? 'all',
          price: formatPricing(set.pricing),
        }),
      )
    })
}

interface SetOptions {
  type: NewPrice['operationType']
  price: NewPricing
  from?: string
  company?: string
}
