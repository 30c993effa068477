// Limits the reads that one company has under way in this process, so that its long lists do not take the database and the
// event loop away from the others. Reads of operators are not limited here.
import type { ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { ApiError } from '../errors.ts'
import { createCompanyPermits } from '../lib/company-permits.ts'
import { restAfter } from '../lib/rest.ts'
import type { Answer } from './route.ts'

export interface ReadLimits {
  /** Pages, statements and sums. A client that waits for its answers has one; the pool has ten connections. */
  readonly pages: number
  readonly pagesWaiting: number
  /** Answers with a whole list, from the first row to the last. */
  readonly lists: number
  readonly listsWaiting: number
}

/** Of one company at a time. What waits takes memory only; the next above it is refused. */
export const READ_LIMITS: ReadLimits = { pages: 3, pagesWaiting: 200, lists: 2, listsWaiting: 8 }
/** Long enough for some of the reads that wait to be answered. */
const RETRY_AFTER_S = 5
/** How many times longer than a part of a list the rest after it is: all lists of a company together work a third of the time. */
const LIST_REST_TIMES = 2

export interface CompanyReads {
  /** Builds the body of an answer when the company has a place for it. Refuses with 429 if too many wait already. */
  run(reader: Reader, read: Answer['read'], produce: () => Promise<unknown>): Promise<unknown>
}

export interface Reader {
  /** Undefined: not limited. */
  readonly companyId: string | undefined
  readonly response: ServerResponse
}

export function createCompanyReads(limits: ReadLimits = READ_LIMITS): CompanyReads {
  const places = {
    page: createCompanyPermits({ perCompany: limits.pages, waitingMax: limits.pagesWaiting }),
    list: createCompanyPermits({ perCompany: limits.lists, waitingMax: limits.listsWaiting }),
  }
  const parts = createCompanyPermits({ perCompany: 1, waitingMax: limits.lists })
  return {
    async run({ companyId, response }, read, produce) {
      if (companyId === undefined || read === undefined) return toStream(await produce())
      const left = new AbortController()
      const leave = () => left.abort()
      response.once('close', leave)
      const place = places[read].take(companyId, left.signal)
      if (place === undefined) throw tooMany(read, limits)
      const release = await place
      response.off('close', leave)
      // The client has gone, so that nobody reads the answer.
      if (release === undefined) return ''
      return produceWith(release, produce, async () => parts.take(companyId))
    },
  }
}

const toStream = (body: unknown) => (isParts(body) ? Readable.from(body) : body)

/** A list keeps its place until its stream is closed. */
async function produceWith(
  release: () => void,
  produce: () => Promise<unknown>,
  takeTurn: () => Promise<(() => void) | undefined>,
): Promise<unknown> {
  let body: unknown
  try {
    body = await produce()
  } finally {
    if (!isParts(body)) release()
  }
  return isParts(body) ? Readable.from(inTurns(body, takeTurn)).once('close', release) : body
}

const isParts = (body: unknown): body is AsyncGenerator<string> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body && !(body instanceof Readable)

/** The lists of a company take turns for each part, and rest between two parts. */
async function* inTurns(
  list: AsyncGenerator<string>,
  takeTurn: () => Promise<(() => void) | undefined>,
): AsyncGenerator<string> {
  for (;;) {
    const free = await takeTurn()
    const startedMs = performance.now()
    const { done, value } = await list.next().finally(() => void restAfter(startedMs, LIST_REST_TIMES).then(free))
    if (done === true) return
    yield value
  }
}

function tooMany(read: 'page' | 'list', { pages, lists }: ReadLimits): ApiError {
  const message =
    read === 'list'
      ? `This company already reads ${lists} whole lists at a time, and more wait. Read pages with limit and cursor, or try again after Retry-After seconds.`
      : `This company already has ${pages} reads under way, and many wait. Wait for their answers, then try again after Retry-After seconds.`
  return new ApiError('rate_limited', message, { headers: { 'retry-after': String(RETRY_AFTER_S) } })
}
