// The commands of a company's developer: any request, webhooks, events, the request log, and the completion of a shell.
import type { CommandSet } from './command-set.ts'
import { registerApi } from './commands/api.ts'
import { registerCompletion } from './commands/completion.ts'
import { registerEvents } from './commands/events.ts'
import { registerListen } from './commands/listen.ts'
import { registerLogs } from './commands/logs.ts'
import { registerTrigger } from './commands/trigger.ts'
import { registerWebhooks } from './commands/webhooks.ts'

export const developerCommands: CommandSet = {
  register(program, context) {
    registerApi(program, context)
    registerWebhooks(program, context)
    registerListen(program, context)
    registerTrigger(program, context)
    registerEvents(program, context)
    registerLogs(program, context)
    registerCompletion(program, context)
  },
  examples: {
    api: ['cardstock api GET /api/v1/balance', `cardstock api POST /api/v1/sandbox/funding -d '{"amount": "100.00"}'`],
    'webhooks list': ['cardstock webhooks list'],
    'webhooks create': [
      'cardstock webhooks create --to https://example.com/cardstock',
      'cardstock webhooks create --to https://example.com/cardstock --event operation.completed operation.failed',
    ],
    'webhooks update': ['cardstock webhooks update we_1 --status disabled'],
    'webhooks delete': ['cardstock webhooks delete we_1'],
    'webhooks ping': ['cardstock webhooks ping we_1'],
    'webhooks rotate-secret': ['cardstock webhooks rotate-secret we_1 --overlap-seconds 3600'],
    'webhooks recover': ['cardstock webhooks recover we_1 --since 2026-01-31'],
    listen: ['cardstock listen --forward-to http://127.0.0.1:3000/webhooks'],
    trigger: ['cardstock trigger operation.completed'],
    'events tail': ['cardstock events tail', 'cardstock events tail --type operation.failed --json'],
    'logs tail': [
      'cardstock logs tail --status 422',
      'cardstock logs tail --path /api/v1/operations --key key_1 --json',
    ],
    completion: ['source <(cardstock completion bash)', 'cardstock completion fish | source'],
  },
}
