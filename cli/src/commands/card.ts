// `cardstock card …`: lists, shows, freezes, unfreezes and closes a company's cards, and says where their numbers are shown, with its API key.
import { type Card, CARD_STATUSES, type CardStatus, NAME_SORTS, type NameSort } from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { limitOption, printList, sortOption, take } from '../list.ts'
import { type Column, formatFields, type Output } from '../output.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<Card>[] = [
  { title: 'ID', cell: (card) => card.id },
  { title: 'STATUS', cell: (card) => card.status },
  { title: 'BALANCE', cell: (card) => card.balance },
  { title: 'LAST4', cell: (card) => card.last4 },
  { title: 'PRODUCT', cell: (card) => card.productId },
  { title: 'CREATED', cell: (card) => card.createdAt },
  { title: 'NAME', isText: true, cell: (card) => card.name },
  { title: 'HOLDER', isText: true, cell: (card) => card.holder?.name },
]

const CHANGES = {
  freeze: 'freeze a card: no payments and no top-ups until it is unfrozen',
  unfreeze: 'make a frozen card usable again',
  close: 'close a card for good; its balance returns to the card account',
} as const

export function registerCard(program: Command, context: Context): void {
  const group = program.command('cards').alias('card').description("a company's cards, with its API key")
  registerRead(group, context)
  for (const action of Object.keys(CHANGES) as (keyof typeof CHANGES)[]) registerChange(group, context, action)
  registerNumberPage(group, context)
}

interface ListOptions {
  status?: CardStatus
  holder?: string
  product?: string
  sort: NameSort
  limit: number
}

function registerRead(group: Command, { connectCompany, output }: Context): void {
  group
    .command('list')
    .description('list cards')
    .addOption(new Option('--status <status>', 'only those with this status').choices(CARD_STATUSES))
    .option('--holder <id>', 'show only cards of this holder')
    .option('--product <id>', 'show only cards of this product')
    .addOption(sortOption(NAME_SORTS))
    .addOption(limitOption())
    .action(async (options: ListOptions) => {
      const { status, holder, product, sort, limit } = options
      const filter = {
        sort,
        ...(status === undefined ? {} : { status }),
        ...(holder === undefined ? {} : { holderId: holder }),
        ...(product === undefined ? {} : { productId: product }),
      }
      const { cards } = connectCompany().api
      printList(output(), await take((query) => cards.list({ ...filter, ...query }), limit), COLUMNS)
    })
  group
    .command('get')
    .alias('show')
    .description('show one card')
    .argument('<id>', 'id of the card')
    .action(async (id: string) => print(output(), await connectCompany().api.cards.get(id)))
}

function registerChange(group: Command, { connectCompany, output }: Context, action: keyof typeof CHANGES): void {
  group
    .command(action)
    .description(CHANGES[action])
    .argument('<id>', 'id of the card')
    .action(async (id: string) => {
      const card = await connectCompany().api.cards[action](id)
      print(output(), card)
      if (card.pendingStatus !== undefined) {
        output().note(
          "The issuer's answer is not known yet; look again with cardstock cards get. Nothing is sent twice.",
        )
      }
    })
}

function registerNumberPage(group: Command, { connectCompany, output }: Context): void {
  group
    .command('number-page')
    .description('get the address of a page of the provider that shows the number of a card for a short time')
    .argument('<id>', 'id of the card')
    .action(async (id: string) => {
      const page = await connectCompany().api.cards.numberPage(id)
      output().result(page, () => formatFields({ address: page.url, 'works until': page.expiresAt }))
    })
}

function print(output: Output, card: Card): void {
  output.result(card, () =>
    formatFields({
      id: card.id,
      name: card.name,
      status: card.status,
      ...(card.pendingStatus === undefined ? {} : { 'asked for': card.pendingStatus }),
      balance: card.balance,
      last4: card.last4,
      holder: card.holderId,
      product: card.productId,
      created: card.createdAt,
    }),
  )
}
