// `cardstock logs tail`: prints the requests of a company's keys as they are answered, one per line.
import type { RequestLog, RequestLogFilter } from '@cardstock/sdk'
import { type Command, InvalidArgumentError } from 'commander'
import { followRequests } from './follow.ts'
import type { Context } from '../context.ts'

/** The path that this command itself reads. */
const OWN_PATH = '/api/v1/request-logs'

interface TailOptions {
  status?: number
  path?: string
  key?: string
}

export function registerLogs(program: Command, { connectCompany, output }: Context): void {
  const group = program.command('logs').description("the requests of a company's keys")
  group
    .command('tail')
    .description('show requests as they are answered, until Ctrl-C')
    .option('--status <status>', 'only answers with this status', parseStatus)
    .option('--path <path>', 'only requests to exactly this path')
    .option('--key <id>', 'only requests of the API key with this id', parseKeyId)
    .action(async ({ status, path, key }: TailOptions) => {
      const { api } = connectCompany()
      const out = output()
      out.note('Waiting for requests; Ctrl-C ends.')
      const filter: RequestLogFilter = { status, path, keyId: key }
      for await (const request of followRequests(api, filter)) {
        // Each poll is itself a request. Without this the command would mostly show its own.
        if (request.path === OWN_PATH && path !== OWN_PATH) continue
        out.item(request, () => formatRequest(request))
      }
    })
}

function formatRequest({
  createdAt,
  status,
  method,
  path,
  durationMs,
  keyId,
  requestId,
  errorCode,
}: RequestLog): string {
  const line = `${createdAt}  ${status}  ${method.padEnd(6)} ${path}  ${durationMs} ms  ${keyId}  ${requestId}`
  return errorCode === null ? line : `${line}  ${errorCode}`
}

function parseStatus(text: string): number {
  if (!/^[1-5]\d\d$/.test(text)) throw new InvalidArgumentError('Give an HTTP status, such as 422.')
  return Number(text)
}

/** A key given here by mistake must not be sent as a filter, which would put it into a URL. */
function parseKeyId(text: string): string {
  if (!/^key_\w+$/.test(text))
    throw new InvalidArgumentError('Give the id of a key (key_…). The key to connect with is CARDSTOCK_API_KEY.')
  return text
}
