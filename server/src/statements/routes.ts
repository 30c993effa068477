// GET /account-statements: the entries of the card account and the balances they lead to.
import type { Db } from '../db/pool.ts'
import { type Answer, companyRoute, type Route } from '../http/route.ts'
import type { Clock } from '../lib/clock.ts'
import { writeCsv } from './csv.ts'
import type { Statement } from './document.ts'
import { chooseFormat, CSV_TYPE, PDF_TYPE } from './format.ts'
import { readStatement } from './read.ts'
import { type Format, requireRange, type StatementRange } from './rules.ts'
import { StatementQuery, StatementSchema } from './schema.ts'

export function statementRoutes(deps: { db: Db; clock: Clock }): Route[] {
  return [
    companyRoute(
      { anyOf: ['balance:read'], rate: 'statements' },
      {
        method: 'GET',
        path: '/api/v1/account-statements',
        tag: 'card account',
        id: 'getAccountStatement',
        summary: 'Generate a statement',
        description:
          'Returns the entries of the card account from `from` to `to`, both inclusive UTC days, oldest first, as JSON, CSV or PDF. At most 366 days and 10,000 entries. The proof in the JSON form lets you verify it offline with `cardstock verify`.',
        refusals: ['statement_range_too_large', 'statement_too_many_entries'],
        query: StatementQuery,
        responses: { 200: StatementSchema },
        alsoAs: [CSV_TYPE, PDF_TYPE],
        handle: async ({ caller, query, accept }) => {
          const range = requireRange(query)
          return answer(chooseFormat(query.format, accept), range, () => readStatement(deps, caller.scope, range))
        },
      },
    ),
  ]
}

/** The statement is read and written only when its body is wanted. */
function answer(format: Format, range: StatementRange, read: () => Promise<Buffer>): Answer {
  const parse = async () => JSON.parse((await read()).toString()) as Statement
  switch (format) {
    case 'json':
      return { status: 200, produce: read, headers: headersOf('application/json; charset=utf-8') }
    case 'csv': {
      const headers = downloadHeaders(`${CSV_TYPE}; charset=utf-8`, range, 'csv')
      return { status: 200, produce: async () => writeCsv(await parse()), headers }
    }
    case 'pdf': {
      const produce = async () => {
        const statement = await parse()
        // Loaded when first asked for: it is large, and most servers never need it.
        const { writePdf } = await import('./pdf.ts')
        return writePdf(statement)
      }
      return { status: 200, produce, headers: downloadHeaders(PDF_TYPE, range, 'pdf') }
    }
  }
}

function headersOf(contentType: string): Record<string, string> {
  return { 'content-type': contentType, vary: 'accept' }
}

function downloadHeaders(contentType: string, { from, to }: StatementRange, extension: string): Record<string, string> {
  return {
    ...headersOf(contentType),
    'content-disposition': `attachment; filename="statement-${from}-${to}.${extension}"`,
  }
}
