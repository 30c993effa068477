// GET /account-statements: the entries of the card account and the balances they lead to.
import type { ServerResponse } from 'node:http'
import type { Db } from '../db/pool.ts'
import { type Answer, companyRoute, type Route } from '../http/route.ts'
import type { Clock } from '../lib/clock.ts'
import type { Scope } from '../lib/scope.ts'
import { runInTurns } from '../lib/steps.ts'
import { writeCsv } from './csv.ts'
import { chooseFormat, CSV_TYPE, PDF_TYPE } from './format.ts'
import { createPdfQueue, type PdfQueue } from './pdf/queue.ts'
import { readSource, readSubjects } from './read.ts'
import { type DayRange, requireRange } from '../http/day-range.ts'
import type { Format } from './rules.ts'
import { StatementQuery, StatementSchema } from './schema.ts'
import { writeStatement } from './source.ts'
import { parseSubjects } from './subjects.ts'

interface StatementDeps {
  db: Db
  clock: Clock
  pdfs: PdfQueue
}

export function statementRoutes({ db, clock }: Omit<StatementDeps, 'pdfs'>): Route[] {
  const deps = { db, clock, pdfs: createPdfQueue() }
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
          'Returns the entries of the card account from `from` to `to`, both inclusive UTC days, oldest first, as JSON, CSV or PDF. At most 366 days and 10,000 entries. The proof in the JSON form lets `cardstock verify` check offline that the statement is consistent in itself, and compare it with what the server has.',
        refusals: ['statement_range_too_large', 'statement_too_many_entries', 'entries_archived'],
        query: StatementQuery,
        responses: { 200: StatementSchema },
        alsoAs: [CSV_TYPE, PDF_TYPE],
        handle: async ({ caller, query, accept }) => {
          return answer(deps, chooseFormat(query.format, accept), caller.scope, requireRange(query))
        },
      },
    ),
  ]
}

/** The statement is read and written only when its body is wanted. */
function answer(deps: StatementDeps, format: Format, scope: Scope, range: DayRange): Answer {
  switch (format) {
    case 'json': {
      const headers = headersOf('application/json; charset=utf-8')
      const produce = async () => runInTurns(writeStatement(await readSource(deps, scope, range)))
      return { status: 200, read: 'page', produce, headers }
    }
    case 'csv': {
      const headers = downloadHeaders(`${CSV_TYPE}; charset=utf-8`, range, 'csv')
      const produce = async () => {
        const source = await readSource(deps, scope, range)
        return runInTurns(writeCsv(source, parseSubjects(await readSubjects(deps, scope, source))))
      }
      return { status: 200, read: 'page', produce, headers }
    }
    case 'pdf': {
      const produce = (response: ServerResponse) => producePdf(deps, scope, range, response)
      return { status: 200, produce, headers: downloadHeaders(PDF_TYPE, range, 'pdf') }
    }
  }
}

/** Reads the entries only when the statement's turn has come, so that a full queue costs the database nothing. */
async function producePdf(
  { pdfs, ...deps }: StatementDeps,
  scope: Scope,
  range: DayRange,
  response: ServerResponse,
): Promise<Buffer> {
  const clientLeft = new AbortController()
  const abort = () => clientLeft.abort()
  response.once('close', abort)
  try {
    return await pdfs.write(scope.companyId, clientLeft.signal, async () => {
      const source = await readSource(deps, scope, range)
      return { source, subjects: await readSubjects(deps, scope, source) }
    })
  } finally {
    response.off('close', abort)
  }
}

function headersOf(contentType: string): Record<string, string> {
  return { 'content-type': contentType, vary: 'accept' }
}

function downloadHeaders(contentType: string, { from, to }: DayRange, extension: string): Record<string, string> {
  return {
    ...headersOf(contentType),
    'content-disposition': `attachment; filename="statement-${from}-${to}.${extension}"`,
  }
}
