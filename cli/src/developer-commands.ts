// The commands of a company's developer: any request, the sandbox, webhooks, events, the request log, a mock for tests, the console, and the completion of a shell.
import type { CommandSet } from './command-set.ts'
import { registerApi } from './commands/api.ts'
import { registerCompletion } from './commands/completion.ts'
import { registerEvents } from './commands/events.ts'
import { registerListen } from './commands/listen.ts'
import { registerLogs } from './commands/logs.ts'
import { registerMock } from './commands/mock.ts'
import { registerOpen } from './commands/open.ts'
import { registerSandbox } from './commands/sandbox.ts'
import { registerTrigger } from './commands/trigger.ts'
import { registerWebhooks } from './commands/webhooks.ts'

export const developerCommands: CommandSet = {
  heading: 'Developer:',
  register(program, context) {
    registerApi(program, context)
    registerSandbox(program, context)
    registerWebhooks(program, context)
    registerListen(program, context)
    registerTrigger(program, context)
    registerEvents(program, context)
    registerLogs(program, context)
    registerMock(program, context)
    registerOpen(program, context)
    registerCompletion(program, context)
  },
  examples: {
    api: ['cardstock api GET /api/v1/balance', `cardstock api POST /api/v1/sandbox/funding -d '{"amount": "100.00"}'`],
    'sandbox fund': ['cardstock sandbox fund 1000.00'],
    'sandbox pay': ['cardstock sandbox pay inv_1', 'cardstock sandbox pay inv_1 --amount 49.5'],
    'sandbox decide': ['cardstock sandbox decide op_1 completed'],
    'webhooks list': ['cardstock webhooks list'],
    'webhooks get': ['cardstock webhooks get we_1'],
    'webhooks attempts': ['cardstock webhooks attempts we_1 --limit 10'],
    'webhooks create': [
      'cardstock webhooks create --to https://example.com/cardstock',
      'cardstock webhooks create --to https://example.com/cardstock --event operation.completed operation.failed',
    ],
    'webhooks update': ['cardstock webhooks update we_1 --status disabled'],
    'webhooks delete': ['cardstock webhooks delete we_1'],
    'webhooks ping': ['cardstock webhooks ping we_1'],
    'webhooks rotate-secret': ['cardstock webhooks rotate-secret we_1 --overlap-seconds 3600'],
    'webhooks recover': ['cardstock webhooks recover we_1 --since 2026-01-31'],
    listen: [
      'cardstock listen --forward-to http://127.0.0.1:3000/webhooks',
      'cardstock listen --forward-to http://127.0.0.1:3000/webhooks --events operation.completed,operation.failed',
    ],
    trigger: ['cardstock trigger operation.completed'],
    'events list': ['cardstock events list', 'cardstock events list --type operation.failed --from 2026-01-01'],
    'events get': ['cardstock events get evt_1'],
    'events attempts': ['cardstock events attempts evt_1'],
    'events resend': ['cardstock events resend evt_1', 'cardstock events resend evt_1 --endpoint we_1'],
    'events tail': ['cardstock events tail', 'cardstock events tail --type operation.failed --json'],
    'logs list': ['cardstock logs list --status 409 --from 2026-01-31'],
    'logs tail': [
      'cardstock logs tail --status 409',
      'cardstock logs tail --path /api/v1/operations --key-id key_1 --json',
    ],
    mock: ['cardstock mock', 'cardstock mock --port 0 --json'],
    open: ['cardstock open', 'cardstock open webhooks', 'cardstock open op_1'],
    completion: ['source <(cardstock completion bash)', 'cardstock completion fish | source'],
  },
}
