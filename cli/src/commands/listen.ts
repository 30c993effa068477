// `cardstock listen`: forwards a company's sandbox events to the developer's URL, signed with a local secret.
import { createHmac } from 'node:crypto'
import { EVENT_TYPES, type EventType } from '@cardstock/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { keyOption } from '../connect-company.ts'
import { UsageError } from '../failure.ts'
import { forwardEvent } from '../forward.ts'
import { noteFallback, tailEvents } from './follow.ts'
import type { Context } from '../context.ts'

interface ListenOptions {
  forwardTo: string
  events?: EventType[]
  key?: string
}

export function registerListen(program: Command, { connectCompany, output }: Context): void {
  program
    .command('listen')
    .description('forward sandbox events to a local address, until Ctrl-C')
    .requiredOption('--forward-to <url>', 'where to send them, such as http://127.0.0.1:3000/webhooks', parseUrl)
    .addOption(typesOption())
    .addOption(keyOption())
    .action(async ({ forwardTo, events, key }: ListenOptions) => {
      const { api, token } = connectCompany({ key })
      if (!token.startsWith('cstk_sandbox_'))
        throw new UsageError('listen is for the sandbox: give a cstk_sandbox_… key.')
      const secret = localSecret(token)
      const out = output()
      const onOpen = () =>
        out.item(
          { forwardTo, secret },
          () => `Forwarding to ${forwardTo}\nVerify with this secret (always the same for this key): ${secret}`,
        )
      for await (const event of tailEvents(api, { types: events, onOpen, onFallback: noteFallback(out) })) {
        const outcome = await forwardEvent(forwardTo, secret, event)
        out.item(
          { id: event.id, type: event.type, outcome },
          () => `${event.createdAt}  ${event.type.padEnd(24)} ${event.id}  ${outcome}`,
        )
      }
    })
}

/** Returns a secret that depends only on the key, so that a receiver is configured once. It does not reveal the key. */
function localSecret(apiKey: string): string {
  return `whsec_${createHmac('sha256', apiKey).update('cardstock listen').digest('base64')}`
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('Give an http:// or https:// address.')
  return url.href
}

/** The types are offered one by one; several are checked by the parser. */
function typesOption(): Option {
  const option = new Option('--events <types>', 'only these types, separated by commas').argParser(parseTypes)
  option.argChoices = [...EVENT_TYPES]
  return option
}

function parseTypes(text: string): EventType[] {
  return text.split(',').map((word) => {
    const type = EVENT_TYPES.find((known) => known === word.trim())
    if (type === undefined)
      throw new InvalidArgumentError(`There is no type ${JSON.stringify(word)}. There are: ${EVENT_TYPES.join(', ')}.`)
    return type
  })
}
