// An HTTP client for deliveries without a network: a test answers each request with one asynchronous function.
import type { Dispatcher } from 'undici'

export interface Reply {
  readonly statusCode: number
  readonly headers: Record<string, string | string[]>
  readonly body: Iterable<Buffer> | AsyncIterable<Buffer>
}
/** The signal is aborted when the sender gives the request up. */
export type Request = Dispatcher.DispatchOptions & { readonly signal: AbortSignal }

export function toDispatcher(request: (request: Request) => Promise<Reply>): Dispatcher {
  const dispatch = (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => {
    const aborter = new AbortController()
    const controller = { abort: () => aborter.abort() } as unknown as Dispatcher.DispatchController
    const exchange = async () => {
      const { statusCode, headers, body } = await request({ ...options, signal: aborter.signal })
      handler.onResponseStart?.(controller, statusCode, headers)
      for await (const chunk of body) {
        handler.onResponseData?.(controller, chunk)
        if (aborter.signal.aborted) return
      }
      handler.onResponseEnd?.(controller, {})
    }
    handler.onRequestStart?.(controller, {})
    exchange().catch((error: Error) => handler.onResponseError?.(controller, error))
    return true
  }
  return { dispatch, destroy: async () => {} } as unknown as Dispatcher
}
