// The commands of whoever runs an issuer: what waits for a decision, what a provider needs to know of a holder, events that the server refused, and
// whether the books agree.
import { type Column, type Context, formatTable, UsageError } from '@cardstock/cli'
import { type Command, Option } from 'commander'
import { listProviders } from '../../adapter/provider-kit/find-providers.ts'
import type { TryOptions } from '../process/try-issuer.ts'
import { openControl } from './control.ts'

interface OpenRequest {
  token: string
  kind: string
  waitingSince: string | null
  waitingReason: string | null
  nextAttemptAt: string | null
}
interface Transfer {
  paymentId: string
  amount: string
  from: string
  to: string
  blockTime: string
  cause: string
}
interface Decision {
  by: string
  reason: string
}
interface Where {
  controlUrl?: string
}

const REQUESTS: readonly Column<OpenRequest>[] = [
  { title: 'TOKEN', cell: ({ token }) => token },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'WAITS SINCE', cell: ({ waitingSince }) => waitingSince ?? '' },
  { title: 'NEXT ATTEMPT', cell: ({ nextAttemptAt }) => nextAttemptAt ?? '' },
  { title: 'WHY', isText: true, cell: ({ waitingReason }) => waitingReason ?? '' },
]
const TRANSFERS: readonly Column<Transfer>[] = [
  { title: 'PAYMENT', cell: ({ paymentId }) => paymentId },
  { title: 'USDT', cell: ({ amount }) => amount },
  { title: 'FROM', cell: ({ from }) => from },
  { title: 'TO', cell: ({ to }) => to },
  { title: 'AT', cell: ({ blockTime }) => blockTime },
  { title: 'WHY', cell: ({ cause }) => cause },
]

export const ISSUER_EXAMPLES = {
  'issuer requests': ['cardstock issuer requests'],
  'issuer decide': [
    "cardstock issuer decide 019cd79e-4600-7001-8d21-5f0c9a6f3b7e look_up --by Ada --reason 'Lithic is back.'",
  ],
  'issuer holder-fields': ['cardstock issuer holder-fields'],
  'issuer link-holder': [
    'cardstock issuer link-holder hld_1 --by Ada --set first_name=Grace --set last_name=Hopper --set country=USA',
  ],
  'issuer transfers': ['cardstock issuer transfers'],
  'issuer assign': ["cardstock issuer assign PAYMENT inv_1 --by Ada --reason 'Sent to the address of last week.'"],
  'issuer dismiss': ["cardstock issuer dismiss PAYMENT --by Ada --reason 'Our own test transfer.'"],
  'issuer resend-events': ['cardstock issuer resend-events'],
  'issuer reconcile': ['cardstock issuer reconcile'],
  'issuer try': ['cardstock issuer try --provider lithic --set first_name=Ada --set last_name=Lovelace'],
}

export function registerIssuerCommands(issuer: Command, context: Context): void {
  registerRequests(issuer, context)
  registerHolders(issuer, context)
  registerTransfers(issuer, context)
  registerEvents(issuer, context)
  registerReconcile(issuer, context)
  registerTry(issuer, context)
}

const describe = (parent: Command, usage: string, text: string) =>
  parent
    .command(usage)
    .description(text)
    .option('--control-url <url>', 'control port of the issuer (default: ISSUER_CONTROL_PORT on this machine)')

const decided = (command: Command) =>
  command
    .requiredOption('--by <name>', 'who decides')
    .requiredOption('--reason <text>', 'why; it is kept with the decision')

function registerRequests(issuer: Command, { environ, output }: Context): void {
  describe(issuer, 'requests', 'list requests whose outcome is open, those that wait for a person first').action(
    async ({ controlUrl }: Where) => {
      const { data } = (await openControl(environ, controlUrl).call('GET', '/control/requests')) as {
        data: OpenRequest[]
      }
      output().result(data, () => formatTable(REQUESTS, data, output()) || 'No request is open.')
    },
  )
  decided(
    describe(
      issuer,
      'decide <token> <decision>',
      'decide about a request that waits: look_up, send_again or not_carried_out',
    ),
  ).action(async (token: string, decision: string, { controlUrl, by, reason }: Decision & Where) => {
    const path = `/control/requests/${encodeURIComponent(token)}/decide`
    const result = await openControl(environ, controlUrl).call('POST', path, { decision, by, reason })
    output().result(result, () => `It is decided: ${decision}. The request goes on now.`)
  })
}

function registerHolders(issuer: Command, { environ, output }: Context): void {
  describe(issuer, 'holder-fields', 'list what the card provider needs to know of a holder').action(
    async ({ controlUrl }: Where) => {
      const { data } = (await openControl(environ, controlUrl).call('GET', '/control/holder-fields')) as {
        data: { name: string; label: string; isRequired: boolean }[]
      }
      const columns: Column<(typeof data)[number]>[] = [
        { title: 'FIELD', cell: ({ name }) => name },
        { title: 'REQUIRED', cell: ({ isRequired }) => (isRequired ? 'yes' : 'no') },
        { title: 'WHAT IT IS', isText: true, cell: ({ label }) => label },
      ]
      output().result(data, () => formatTable(columns, data, output()) || 'It needs nothing beside name and e-mail.')
    },
  )
  describe(issuer, 'link-holder <holder>', 'state what the card provider needs to know of a holder, all fields at once')
    .requiredOption('--by <name>', 'who enters it')
    .addOption(
      new Option('--set <field=value>', 'a field and its value; once for each field')
        .makeOptionMandatory()
        .argParser(collectPairs),
    )
    .action(async (holder: string, { controlUrl, by, set }: Where & { by: string; set: Record<string, string> }) => {
      const path = `/control/holders/${encodeURIComponent(holder)}/details`
      const result = await openControl(environ, controlUrl).call('PUT', path, { by, details: set })
      output().result(result, () => `The details of ${holder} are stored for the next card.`)
    })
}

function collectPairs(text: string, before: Record<string, string> = {}): Record<string, string> {
  const place = text.indexOf('=')
  if (place < 1) throw new UsageError('--set takes a field and its value, such as --set city=Springfield.')
  return { ...before, [text.slice(0, place)]: text.slice(place + 1) }
}

function registerTransfers(issuer: Command, { environ, output }: Context): void {
  describe(issuer, 'transfers', 'list transfers on TRON that belong to no invoice').action(
    async ({ controlUrl }: Where) => {
      const { data } = (await openControl(environ, controlUrl).call('GET', '/control/tron/transfers')) as {
        data: Transfer[]
      }
      output().result(data, () => formatTable(TRANSFERS, data, output()) || 'No transfer waits for a decision.')
    },
  )
  decided(
    describe(issuer, 'assign <payment> <invoice>', 'report a transfer to the server as a payment of an invoice'),
  ).action(async (payment: string, invoice: string, { controlUrl, ...made }: Decision & Where) => {
    const path = `/control/tron/transfers/${encodeURIComponent(payment)}/assign`
    const result = await openControl(environ, controlUrl).call('POST', path, { invoice, ...made })
    output().result(result, () => 'The transfer is assigned. The server decides what is credited.')
  })
  decided(describe(issuer, 'dismiss <payment>', 'decide that a transfer belongs to no invoice')).action(
    async (payment: string, { controlUrl, ...made }: Decision & Where) => {
      const path = `/control/tron/transfers/${encodeURIComponent(payment)}/dismiss`
      const result = await openControl(environ, controlUrl).call('POST', path, made)
      output().result(result, () => 'The transfer is dismissed. No invoice gets it.')
    },
  )
}

function registerEvents(issuer: Command, { environ, output }: Context): void {
  describe(issuer, 'resend-events', 'send all events again that the server refused').action(
    async ({ controlUrl }: Where) => {
      const result = (await openControl(environ, controlUrl).call('POST', '/control/events/resend', {})) as {
        events: number
      }
      output().result(result, () => `Events that are sent again: ${result.events}.`)
    },
  )
}

function registerReconcile(issuer: Command, { environ, output, fail }: Context): void {
  describe(
    issuer,
    'reconcile',
    'compare the books of the issuer with the card provider and the chain; they are only read',
  ).action(async ({ controlUrl }: Where) => {
    const control = openControl(environ, controlUrl)
    const cards = (await control.find('POST', '/control/cards/reconcile', {})) as Cards | undefined
    const chain = (await control.find('POST', '/control/tron/reconcile', {})) as { data: Chain[] } | undefined
    const nodes = chain?.data ?? []
    const lines = [...describeCards(cards), ...describeChain(nodes)]
    output().result({ cards: cards ?? null, chain: chain?.data ?? null }, () => lines.join('\n'))
    const isDifferent = (cards?.differenceCount ?? 0) > 0 || nodes.some(({ differences }) => differences.length > 0)
    if (isDifferent || nodes.some(({ unread }) => unread !== undefined)) fail()
  })
}

function registerTry(issuer: Command, { environ, output }: Context): void {
  issuer
    .command('try')
    .description("run the whole way of a card against the provider's sandbox, with a server that is thrown away")
    .addOption(new Option('--provider <who>', 'the card provider').choices(listProviders()).makeOptionMandatory())
    .addOption(
      new Option('--deposit <how>', 'pretend a deposit, or take one on a test network of TRON')
        .choices(['reference', 'tron'])
        .default('reference'),
    )
    .addOption(
      new Option('--set <field=value>', 'what the provider needs to know of the holder; once for each field').argParser(
        collectPairs,
      ),
    )
    .action(async (options: TryOptions) => {
      const { tryIssuer } = await import('../process/try-issuer.ts')
      await tryIssuer(environ, options, (text) => output().note(text))
      output().result({ ok: true }, () => 'The trial has passed.')
    })
}

interface Cards {
  cards: number
  differenceCount: number
  owed: string
  atProvider: string
  differences: {
    cardId: string | null
    providerId: string
    what: string
    books: string | null
    provider: string | null
  }[]
}
interface Chain {
  node: string
  compared: number
  differences: { address: string; balance: string; books: string }[]
  unread?: { reason: string }
}

function describeCards(cards: Cards | undefined): string[] {
  if (cards === undefined) return ['This issuer keeps no cards at a provider.']
  return [
    `${cards.cards} cards compared with the provider, ${cards.differenceCount} differences. On cards: ${cards.owed} by the books, ${cards.atProvider} at the provider.`,
    ...cards.differences.map(
      ({ cardId, providerId, what, books, provider }) =>
        `  ${cardId ?? 'not made here'} (${providerId}): ${what}, books ${books ?? '-'}, provider ${provider ?? '-'}`,
    ),
  ]
}

function describeChain(nodes: readonly Chain[]): string[] {
  if (nodes.length === 0) return ['This issuer watches no chain.']
  return nodes.flatMap(({ node, compared, differences, unread }) => [
    `${compared} addresses compared with the chain at ${node}, ${differences.length} differences.`,
    ...differences.map(({ address, balance, books }) => `  ${address}: chain ${balance}, books ${books}`),
    ...(unread === undefined ? [] : [`Not all addresses could be read at ${node}: ${unread.reason}.`]),
  ])
}
