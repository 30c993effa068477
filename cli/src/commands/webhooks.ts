// `cardstock webhooks …`: the addresses that events are sent to. A secret is printed by create and rotate-secret only.
import type { EventType, NewWebhookEndpoint, WebhookEndpoint, WebhookEndpointWithSecret } from '@cardstock/sdk'
import { EVENT_TYPES } from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { UsageError } from '../failure.ts'
import { limitOption, printList, take } from '../list.ts'
import { type Column, formatFields, type Output } from '../output.ts'
import { ATTEMPT_COLUMNS } from './attempts.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  { title: 'ID', cell: (endpoint) => endpoint.id },
  { title: 'STATUS', cell: (endpoint) => endpoint.status },
  { title: 'FAILING SINCE', cell: (endpoint) => endpoint.health.failingSince },
  { title: 'URL', isText: true, cell: (endpoint) => endpoint.url },
  { title: 'EVENTS', isText: true, cell: (endpoint) => endpoint.events },
]

interface EndpointOptions {
  to?: string
  event?: (EventType | '*')[]
  description?: string
  status?: 'enabled' | 'disabled'
}

export function registerWebhooks(program: Command, context: Context): void {
  const group = program.command('webhooks').description('addresses that events are sent to')
  registerRead(group, context)
  registerChanges(group, context)
  registerDelete(group, context)
  registerPing(group, context)
  registerRotate(group, context)
  registerRecover(group, context)
}

const eventOption = () => new Option('--event <type...>', 'types of events, or *').choices([...EVENT_TYPES, '*'])

function registerRead(group: Command, { connectCompany, output }: Context): void {
  group
    .command('list')
    .description('list webhook endpoints')
    .addOption(limitOption())
    .action(async ({ limit }: { limit: number }) => {
      const { webhookEndpoints } = connectCompany().api
      printList(output(), await take((query) => webhookEndpoints.list(query), limit), COLUMNS)
    })
  group
    .command('get')
    .alias('show')
    .description('show one webhook endpoint')
    .argument('<id>', 'id of the endpoint')
    .action(async (id: string) => print(output(), await connectCompany().api.webhookEndpoints.get(id)))
  group
    .command('attempts')
    .description('list the attempts to deliver anything to an endpoint')
    .argument('<id>', 'id of the endpoint')
    .addOption(limitOption())
    .action(async (id: string, { limit }: { limit: number }) => {
      const { webhookEndpoints } = connectCompany().api
      printList(output(), await take((query) => webhookEndpoints.attempts(id, query), limit), ATTEMPT_COLUMNS)
    })
}

function registerChanges(group: Command, { connectCompany, output }: Context): void {
  group
    .command('create')
    .description('add a webhook endpoint and show its secret, once')
    .requiredOption('--to <url>', 'where to send events')
    .addOption(eventOption())
    .option('--description <text>', 'a note for your own use')
    .action(async ({ to, event, description }: EndpointOptions) => {
      const endpoint = { url: to, events: event, description } as NewWebhookEndpoint
      printSecret(output(), await connectCompany().api.webhookEndpoints.create(endpoint))
    })
  group
    .command('update')
    .description('change a webhook endpoint')
    .argument('<id>', 'id of the endpoint')
    .option('--to <url>', 'where to send events')
    .addOption(eventOption())
    .option('--description <text>', 'a note for your own use')
    .addOption(new Option('--status <status>', 'whether events are sent').choices(['enabled', 'disabled']))
    .action(async (id: string, { to, event, ...rest }: EndpointOptions) => {
      if ([to, event, ...Object.values(rest)].every((value) => value === undefined))
        throw new UsageError('Nothing to change: give --to, --event, --description or --status.')
      print(output(), await connectCompany().api.webhookEndpoints.update(id, { ...rest, url: to, events: event }))
    })
}

function registerDelete(group: Command, { connectCompany, output }: Context): void {
  group
    .command('delete')
    .description('remove a webhook endpoint')
    .argument('<id>', 'id of the endpoint')
    .action(async (id: string) => {
      await connectCompany().api.webhookEndpoints.delete(id)
      output().result({ id, deleted: true }, () => `${id} is deleted.`)
    })
}

function registerPing(group: Command, { connectCompany, output }: Context): void {
  group
    .command('ping')
    .description('send a webhook.ping event to an endpoint')
    .argument('<id>', 'id of the endpoint')
    .action(async (id: string) => {
      const event = await connectCompany().api.webhookEndpoints.ping(id)
      output().result(event, () => `${event.id} is on its way.`)
    })
}

function registerRotate(group: Command, { connectCompany, output }: Context): void {
  group
    .command('rotate-secret')
    .description('replace the secret and show the new one, once')
    .argument('<id>', 'id of the endpoint')
    .option('--overlap-seconds <n>', 'how long the old secret keeps signing (default: one day)', Number)
    .action(async (id: string, rotation: { overlapSeconds?: number }) => {
      printSecret(output(), await connectCompany().api.webhookEndpoints.rotateSecret(id, rotation))
    })
}

function registerRecover(group: Command, { connectCompany, output }: Context): void {
  group
    .command('recover')
    .description('resend every event that was not delivered')
    .argument('<id>', 'id of the endpoint')
    .option('--since <time>', 'only from this date or date-time on (UTC)')
    .action(async (id: string, since: { since?: string }) => {
      const recovery = await connectCompany().api.webhookEndpoints.recover(id, since)
      output().result(recovery, () => `Everything that was not delivered since ${recovery.since} is sent again.`)
    })
}

function print(output: Output, endpoint: WebhookEndpoint, extra: Record<string, string> = {}): void {
  output.result(endpoint, () =>
    formatFields({
      id: endpoint.id,
      url: endpoint.url,
      events: endpoint.events,
      description: endpoint.description,
      status: endpoint.status,
      'failing since': endpoint.health.failingSince,
      created: endpoint.createdAt,
      ...extra,
    }),
  )
}

function printSecret(output: Output, endpoint: WebhookEndpointWithSecret): void {
  print(output, endpoint, { secret: endpoint.secret })
  output.note('The secret is shown once. Keep it now: nobody can read it again.')
}
