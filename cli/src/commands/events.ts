// `cardstock events tail`: prints a company's events as they happen, one per line.
import { EVENT_TYPES, type EventType } from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { keyOption } from '../connect-company.ts'
import { noteFallback, tailEvents } from './follow.ts'
import type { Context } from '../context.ts'

export function registerEvents(program: Command, { connectCompany, output }: Context): void {
  const group = program.command('events').description("a company's events")
  group
    .command('tail')
    .description('show events as they happen, until Ctrl-C')
    .addOption(new Option('--type <type>', 'only this type').choices(EVENT_TYPES))
    .addOption(keyOption())
    .action(async ({ type, key }: { type?: EventType; key?: string }) => {
      const { api } = connectCompany({ key })
      const out = output()
      const onOpen = () => out.note('Waiting for events; Ctrl-C ends.')
      for await (const event of tailEvents(api, { type, onOpen, onFallback: noteFallback(out) })) {
        out.item(event, () => `${event.createdAt}  ${event.type.padEnd(24)} ${event.id}  ${event.data.id}`)
      }
    })
}
