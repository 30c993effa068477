// `cardstock trigger TYPE`: makes an event happen with real sandbox objects through the API, and prints it.
import { EVENT_TYPES, type EventType, type WebhookEvent } from '@cardstock/sdk'
import { Argument, type Command } from 'commander'
import { keyOption } from '../connect-company.ts'
import { UsageError } from '../failure.ts'
import type { Context } from '../context.ts'
import { TRIGGERS, UNTRIGGERED } from './triggers.ts'
import { waitFor } from './wait-for.ts'

/** How many of the newest events of a type each poll reads; more do not happen between two polls. */
const LOOK_LIMIT = 100

const isTriggered = (type: EventType): type is keyof typeof TRIGGERS => Object.hasOwn(TRIGGERS, type)

export function registerTrigger(program: Command, { connectCompany, output }: Context): void {
  program
    .command('trigger')
    .description('make an event happen in the sandbox, and show it')
    .addArgument(new Argument('<type>', 'type of the event').choices([...EVENT_TYPES]))
    .addOption(keyOption())
    .action(async (type: EventType, { key }: { key?: string }) => {
      if (!isTriggered(type)) throw new UsageError(UNTRIGGERED[type])
      const { api, token } = connectCompany({ key })
      if (!token.startsWith('cstk_sandbox_'))
        throw new UsageError('trigger is for the sandbox: give a cstk_sandbox_… key.')
      const look = async () => (await api.events.list({ type, limit: LOOK_LIMIT })).data
      const before = new Set((await look()).map(({ id }) => id))
      await TRIGGERS[type]({ api })
      const isNew = (event: WebhookEvent) => !before.has(event.id)
      const event = await waitFor(async () => (await look()).find(isNew), 'the event')
      output().result(event, () => JSON.stringify(event, null, 2))
    })
}
