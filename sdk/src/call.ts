// What a method of the SDK returns: a promise of the data that also gives what the answer said about itself.

/** What came back for a call, beside the data. */
export interface ResponseInfo {
  /** The HTTP status. */
  readonly statusCode: number
  /** The headers of the answer. */
  readonly headers: Headers
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined
  /** True if the idempotency key was used before: nothing was done again, and the data is the first answer. */
  readonly isReplay: boolean
}

/** The data of a call, together with what came back for it. */
export interface WithResponse<Data> extends ResponseInfo {
  /** What awaiting the call itself gives. */
  readonly data: Data
}

/** `await` it for the data, or call `withResponse()` for the status, the headers, the request id and whether it was a replay, too. */
export type Call<Data> = Promise<Data> & {
  /** Resolves with the data and what came back with it. It sends nothing again. */
  withResponse(): Promise<WithResponse<Data>>
}

/** @internal */
export function describeResponse({ status, headers }: Response): ResponseInfo {
  return {
    statusCode: status,
    headers,
    requestId: headers.get('x-request-id') ?? undefined,
    isReplay: headers.get('idempotent-replayed') === 'true',
  }
}

/** @internal */
export function createCall<Data>(answer: Promise<WithResponse<Data>>): Call<Data> {
  const data = answer.then((whole) => whole.data)
  return Object.assign(data, {
    withResponse() {
      // Whoever takes the whole answer gets its failure there, and not a second time from the data.
      data.catch(() => undefined)
      return answer.then((whole) => whole)
    },
  })
}
