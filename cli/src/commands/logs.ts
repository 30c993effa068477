// `cardstock logs …`: the requests of a company's keys, as a list or as they are answered, one per line.
import type { PageQuery, RequestLog } from '@cardstock/sdk'
import { type Command, InvalidArgumentError } from 'commander'
import { limitOption, printList, take } from '../list.ts'
import type { Column } from '../output.ts'
import { followRequests } from './follow.ts'
import type { Context } from '../context.ts'

/** The path that `tail` itself reads. */
const OWN_PATH = '/api/v1/request-logs'

const COLUMNS: readonly Column<RequestLog>[] = [
  { title: 'CREATED', cell: (request) => request.createdAt },
  { title: 'STATUS', cell: (request) => request.status },
  { title: 'METHOD', cell: (request) => request.method },
  { title: 'PATH', isText: true, cell: (request) => request.path },
  { title: 'MS', cell: (request) => request.durationMs },
  { title: 'KEY', cell: (request) => request.keyId },
  { title: 'REQUEST', cell: (request) => request.requestId },
  { title: 'ERROR', isText: true, cell: (request) => request.errorCode },
]

interface FilterOptions {
  status?: number
  path?: string
  keyId?: string
}

interface ListOptions extends FilterOptions {
  from?: string
  to?: string
  limit: number
}

export function registerLogs(program: Command, context: Context): void {
  const group = program.command('logs').description("the requests of a company's keys")
  registerList(group, context)
  registerTail(group, context)
}

function withFilter(command: Command): Command {
  return command
    .option('--status <status>', 'only answers with this status', parseStatus)
    .option('--path <path>', 'only requests to exactly this path')
    .option('--key-id <id>', 'only requests of the API key with this id', parseKeyId)
}

function registerList(group: Command, { connectCompany, output }: Context): void {
  withFilter(group.command('list').description('list the requests of the last seven days'))
    .option('--from <time>', 'only from this date or date-time on (UTC)')
    .option('--to <time>', 'only up to this date or date-time (UTC)')
    .addOption(limitOption())
    .action(async ({ limit, ...filter }: ListOptions) => {
      const { requestLogs } = connectCompany().api
      const fetch = (query: PageQuery) => requestLogs.list({ ...filter, ...query })
      printList(output(), await take(fetch, limit), COLUMNS)
    })
}

function registerTail(group: Command, { connectCompany, output }: Context): void {
  withFilter(group.command('tail').description('show requests as they are answered, until Ctrl-C')).action(
    async (filter: FilterOptions) => {
      const { api } = connectCompany()
      const out = output()
      out.note('Waiting for requests; Ctrl-C ends.')
      for await (const request of followRequests(api, filter)) {
        // Each poll is itself a request. Without this the command would mostly show its own.
        if (request.path === OWN_PATH && filter.path !== OWN_PATH) continue
        out.item(request, () => formatRequest(request))
      }
    },
  )
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
  if (!/^[1-5]\d\d$/.test(text)) throw new InvalidArgumentError('Give an HTTP status, such as 409.')
  return Number(text)
}

/** A key given here by mistake must not be sent as a filter, which would put it into a URL. */
function parseKeyId(text: string): string {
  if (!/^key_\w+$/.test(text))
    throw new InvalidArgumentError('Give the id of a key (key_…). The key to connect with is CARDSTOCK_API_KEY.')
  return text
}
