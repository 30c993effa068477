// GET /account-statements: the entries of the card account and the balances they lead to.
import type { Db } from '../db/pool.ts'
import { type Answer, companyRoute, type Route } from '../http/route.ts'
import type { Clock } from '../lib/clock.ts'
import { writeCsv } from './csv.ts'
import type { Statement } from './document.ts'
import { chooseFormat, CSV_TYPE, PDF_TYPE } from './format.ts'
import { readStatement } from './read.ts'
import { type Format, requireRange } from './rules.ts'
import { StatementQuery, StatementSchema } from './schema.ts'

export function statementRoutes(deps: { db: Db; clock: Clock }): Route[] {
  return [
    companyRoute(
      { anyOf: ['balance:read'], rate: 'statements' },
      {
        method: 'GET',
        path: '/api/v1/account-statements',
        tag: 'card account',
        summary: 'The entries of the card account over whole UTC days, as JSON, CSV or PDF',
        query: StatementQuery,
        responses: { 200: StatementSchema },
        alsoAs: [CSV_TYPE, PDF_TYPE],
        handle: async ({ caller, query, accept }) => {
          const text = await readStatement(deps, caller.scope, requireRange(query))
          return answer(chooseFormat(query.format, accept), text)
        },
      },
    ),
  ]
}

async function answer(format: Format, text: Buffer): Promise<Answer> {
  const read = () => JSON.parse(text.toString()) as Statement
  switch (format) {
    case 'json':
      return { status: 200, body: text, headers: headersOf('application/json; charset=utf-8') }
    case 'csv': {
      const statement = read()
      const headers = downloadHeaders(`${CSV_TYPE}; charset=utf-8`, statement, 'csv')
      return { status: 200, body: writeCsv(statement), headers }
    }
    case 'pdf': {
      const statement = read()
      // Loaded when first asked for: it is large, and most servers never need it.
      const { writePdf } = await import('./pdf.ts')
      return { status: 200, body: await writePdf(statement), headers: downloadHeaders(PDF_TYPE, statement, 'pdf') }
    }
  }
}

function headersOf(contentType: string): Record<string, string> {
  return { 'content-type': contentType, vary: 'accept' }
}

function downloadHeaders(contentType: string, { from, to }: Statement, extension: string): Record<string, string> {
  return {
    ...headersOf(contentType),
    'content-disposition': `attachment; filename="statement-${from}-${to}.${extension}"`,
  }
}
