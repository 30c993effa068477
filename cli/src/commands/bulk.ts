// `cardstock bulk …`: issues cards or tops them up from a CSV file, with a company's API key. The SDK reads the file and makes the keys.
import { open, readFile, stat } from 'node:fs/promises'
import {
  BULK_BYTES_MAX,
  type BulkFile,
  BulkFileError,
  type BulkItem,
  type BulkSummary,
  type BulkType,
  bulkTemplate,
  checkBulk,
  parseBulk,
  sendBulk,
  summarizeBulk,
  toBulkResult,
} from '@cardstock/sdk/bulk'
import { amounts, type Cardstock } from '@cardstock/sdk'
import { Argument, type Command } from 'commander'
import { requireConfirmation } from '../confirm.ts'
import { describeFileError, EXIT, UsageError } from '../failure.ts'
import { type Column, formatTable, type Output } from '../output.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<BulkItem>[] = [
  { title: 'ROW', cell: ({ row }) => row.number },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'FOR', cell: ({ row }) => row.cells['holderId'] ?? row.cells['cardId'] },
  { title: 'AMOUNT', cell: ({ row }) => row.cells['amount'] },
  { title: 'FEE', cell: ({ fee }) => fee },
  { title: 'TOTAL', cell: ({ total }) => total },
  { title: 'OPERATION', cell: ({ operationId }) => operationId },
  { title: 'MESSAGE', isText: true, cell: ({ message }) => message },
]

export function registerBulk(program: Command, context: Context): void {
  const group = program.command('bulk').description('issue cards or top them up from a CSV file')
  registerTemplate(group, context)
  registerCheck(group, context)
  registerSend(group, context)
}

function registerTemplate(group: Command, { output }: Context): void {
  group
    .command('template')
    .description('print a CSV file to fill in')
    .addArgument(new Argument('<type>', 'what the rows are').choices(['issue', 'topup']))
    .action((type: BulkType) => output().raw(new TextEncoder().encode(bulkTemplate(type))))
}

interface FileOptions {
  batch?: string
}

function withFile(command: Command): Command {
  return command
    .argument('<file>', 'CSV file, such as cardstock bulk template prints')
    .option('--batch <name>', 'name that lets the same file be sent a second time, such as 2026-08')
}

function registerCheck(group: Command, { connectCompany, output, fail }: Context): void {
  withFile(
    group.command('check').description('show the price of every row, and which would be refused; sends nothing'),
  ).action(async (path: string, options: FileOptions) => {
    const file = await readBulk(path, options)
    const { items, summary } = await check(connectCompany().api, file, output())
    print(output(), items, summary)
    if (summary.counts.refused > 0) fail(EXIT.failed)
  })
}

interface SendOptions extends FileOptions {
  skipRefused?: true
  output?: string
  yes?: true
}

function registerSend(group: Command, context: Context): void {
  withFile(
    group
      .command('send')
      .description('check every row, then issue or top up; the same file sent again repeats nothing'),
  )
    .option('--skip-refused', 'send the other rows when some would be refused')
    .option('--output <file>', 'result file to write, which must not exist yet')
    .option('--yes', 'confirm a live file without being asked')
    .action((path: string, options: SendOptions) => send(context, path, options))
}

async function send({ connectCompany, output, fail }: Context, path: string, options: SendOptions): Promise<void> {
  const file = await readBulk(path, options)
  const { api, token } = connectCompany()
  const out = output()
  const checked = await check(api, file, out)
  const { counts, total } = checked.summary
  if (counts.refused > 0 && options.skipRefused !== true) {
    print(out, checked.items, checked.summary)
    out.note('Nothing was sent. Correct the refused rows, or send the others with --skip-refused.')
    return fail(EXIT.failed)
  }
  await requireFunds(api, total)
  const what = file.type === 'issue' ? 'Issues' : 'Tops up'
  if (counts.ready > 0 && token.startsWith('cstk_live_'))
    await requireConfirmation(`${what} ${countCards(counts.ready)} in live, for ${total} USD in all.`, options)
  // Before the first row is sent, so that the result of what was sent is not lost because of a wrong name.
  const target = options.output === undefined ? undefined : await createFile(options.output)
  const { items, stoppedBy } = await sendBulk(api, checked.items, {
    onProgress: reportProgress(out, counts.ready, 'sent'),
  })
  await target?.writeFile(toBulkResult(file, items))
  await target?.close()
  const summary = summarizeBulk(items)
  print(out, items, summary)
  if (stoppedBy !== undefined) {
    out.note('It stopped before the end. Send the same file again: rows that were accepted are not repeated.')
    throw stoppedBy
  }
  const { refused, unknown } = summary.counts
  if (unknown > 0)
    out.note(
      `It is not known whether ${unknown} of the rows ${unknown === 1 ? 'was' : 'were'} carried out. Send the same file again to find out: ` +
        'rows that were accepted are not repeated.',
    )
  if (refused + unknown > 0) fail(EXIT.failed)
}

const countCards = (count: number) => `${count} ${count === 1 ? 'card' : 'cards'}`

async function readBulk(path: string, { batch }: FileOptions): Promise<BulkFile> {
  try {
    const { size } = await stat(path)
    if (size > BULK_BYTES_MAX) throw new BulkFileError('The file is larger than 1 MB. Split it.')
    return parseBulk(await readFile(path, 'utf8'), { batch })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new UsageError(
      error instanceof BulkFileError ? error.message : `${path} cannot be read: ${describeFileError(error)}.`,
    )
  }
}

async function check(api: Cardstock, file: BulkFile, out: Output) {
  const items = await checkBulk(api, file, { onProgress: reportProgress(out, file.rows.length, 'checked') })
  return { items, summary: summarizeBulk(items) }
}

/** A line every so many rows tells that a long file goes on, and does not fill the screen. */
const ROWS_PER_NOTE = 100

function reportProgress(out: Output, count: number, done: string): (rows: number) => void {
  return (rows) => {
    if (rows % ROWS_PER_NOTE === 0 && rows < count) out.note(`${rows} of ${count} rows ${done} …`)
  }
}

/** Otherwise it would depend on the order of the rows which of them are paid for. */
async function requireFunds(api: Cardstock, total: string): Promise<void> {
  const { available } = await api.balance.get()
  if (amounts.compare(available, total) < 0)
    throw new UsageError(
      `The file costs ${total} USD and ${available} USD is available. Nothing was sent. Add funds first.`,
    )
}

async function createFile(path: string) {
  return open(path, 'wx', 0o600).catch((error: Error) => {
    throw new UsageError(`${path} cannot be written: ${describeFileError(error)}. Nothing was sent.`)
  })
}

function print(out: Output, items: readonly BulkItem[], summary: BulkSummary): void {
  const { counts, total, acceptedTotal } = summary
  const rows = items.map(({ row, ...item }) => ({ row: row.number, ...row.cells, ...item, key: row.idempotencyKey }))
  out.result({ rows, ...summary }, () => {
    const words = Object.entries(counts).flatMap(([state, count]) => (count === 0 ? [] : [`${count} ${state}`]))
    const money = [
      counts.ready > 0 ? `${total} USD for the rows that are ready` : undefined,
      counts.accepted > 0 ? `${acceptedTotal} USD reserved` : undefined,
    ].filter((part) => part !== undefined)
    return `${formatTable(COLUMNS, items, out)}\n${[words.join(', '), ...money].join('; ')}.`
  })
}
