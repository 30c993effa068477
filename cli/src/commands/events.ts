// `cardstock events …`: a company's events, how they were delivered, and their delivery once more.
import { EVENT_TYPES, type EventFilter, type EventType, type WebhookEvent } from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { keyOption } from '../connect-company.ts'
import { limitOption, printList, take } from '../list.ts'
import type { Column } from '../output.ts'
import { ATTEMPT_COLUMNS } from './attempts.ts'
import { noteFallback, tailEvents } from './follow.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<WebhookEvent>[] = [
  { title: 'ID', cell: (event) => event.id },
  { title: 'TYPE', cell: (event) => event.type },
  { title: 'OBJECT', cell: (event) => event.data.id },
  { title: 'CREATED', cell: (event) => event.createdAt },
]

const typeOption = () => new Option('--type <type>', 'only this type').choices(EVENT_TYPES)

export function registerEvents(program: Command, context: Context): void {
  const group = program.command('events').description("a company's events")
  registerRead(group, context)
  registerDelivery(group, context)
  registerTail(group, context)
}

interface ListOptions extends Pick<EventFilter, 'type' | 'from' | 'to'> {
  limit: number
}

function registerRead(group: Command, { connectCompany, output }: Context): void {
  group
    .command('list')
    .description('list events')
    .addOption(typeOption())
    .option('--from <time>', 'only from this date or date-time on (UTC)')
    .option('--to <time>', 'only up to this date or date-time (UTC)')
    .addOption(limitOption())
    .action(async ({ limit, ...filter }: ListOptions) => {
      const { events } = connectCompany().api
      printList(output(), await take((query) => events.list({ ...filter, ...query }), limit), COLUMNS)
    })
  group
    .command('get')
    .alias('show')
    .description('show one event, as it is delivered')
    .argument('<id>', 'id of the event')
    .action(async (id: string) => {
      const event = await connectCompany().api.events.get(id)
      output().result(event, () => JSON.stringify(event, null, 2))
    })
}

function registerDelivery(group: Command, { connectCompany, output }: Context): void {
  group
    .command('attempts')
    .description('list the attempts to deliver an event')
    .argument('<id>', 'id of the event')
    .addOption(limitOption())
    .action(async (id: string, { limit }: { limit: number }) => {
      const { events } = connectCompany().api
      printList(output(), await take((query) => events.attempts(id, query), limit), ATTEMPT_COLUMNS)
    })
  group
    .command('resend')
    .description('deliver an event once more')
    .argument('<id>', 'id of the event')
    .option('--endpoint <id>', 'only to this webhook endpoint')
    .action(async (id: string, { endpoint }: { endpoint?: string }) => {
      const resend = await connectCompany().api.events.resend(id, { endpointId: endpoint })
      const { deliveries } = resend
      output().result(
        resend,
        () => `${id} is sent again to ${deliveries} ${deliveries === 1 ? 'endpoint' : 'endpoints'}.`,
      )
    })
}

function registerTail(group: Command, { connectCompany, output }: Context): void {
  group
    .command('tail')
    .description('show events as they happen, until Ctrl-C')
    .addOption(typeOption())
    .addOption(keyOption())
    .action(async ({ type, key }: { type?: EventType; key?: string }) => {
      const { api } = connectCompany({ key })
      const out = output()
      const types = type === undefined ? [] : [type]
      const onOpen = () => out.note('Waiting for events; Ctrl-C ends.')
      for await (const event of tailEvents(api, { types, onOpen, onFallback: noteFallback(out) })) {
        out.item(event, () => `${event.createdAt}  ${event.type.padEnd(24)} ${event.id}  ${event.data.id}`)
      }
    })
}
