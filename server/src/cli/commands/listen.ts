// `cardstock listen`: forwards a company's sandbox events to the developer's URL, signed with a local secret.
import { type Command, InvalidArgumentError } from 'commander'
import { systemClock } from '../../lib/clock.ts'
import { keyOption } from '../connect-company.ts'
import { UsageError } from '../failure.ts'
import { noteFallback, tailEvents } from './follow.ts'
import type { Context } from '../context.ts'

export function registerListen(program: Command, { connectCompany, output }: Context): void {
  program
    .command('listen')
    .description('forward sandbox events to a local address, until Ctrl-C')
    .requiredOption('--forward-to <url>', 'where to send them, such as http://127.0.0.1:3000/webhooks', parseUrl)
    .addOption(keyOption())
    .action(async ({ forwardTo, key }: { forwardTo: string; key?: string }) => {
      const { api, token } = connectCompany({ key })
      if (!token.startsWith('cstk_sandbox_'))
        throw new UsageError('listen is for the sandbox: give a cstk_sandbox_… key.')
      // Imported here because it loads the HTTP client.
      const { createForwarder, localSecret } = await import('./forward.ts')
      const secret = localSecret(token)
      const out = output()
      const onOpen = () =>
        out.item(
          { forwardTo, secret },
          () => `Forwarding to ${forwardTo}\nVerify with this secret (always the same for this key): ${secret}`,
        )
      const forwarder = createForwarder(forwardTo, secret)
      for await (const event of tailEvents(api, { onOpen, onFallback: noteFallback(out) })) {
        const sent = await forwarder.forward(event, systemClock.now())
        const outcome = sent.statusCode ?? sent.error ?? 'failed'
        out.item(
          { id: event.id, type: event.type, outcome },
          () => `${event.createdAt}  ${event.type.padEnd(24)} ${event.id}  ${outcome}`,
        )
      }
    })
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('Give an http:// or https:// address.')
  return url.href
}
