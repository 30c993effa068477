// Builds the error body of every refusal: our own, the framework's and the HTTP parser's.
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError } from 'fastify'
import { isUnavailable } from '../db/unavailable.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import { QueueFullError } from '../lib/batcher.ts'

export interface ErrorBody {
  statusCode: number
  message: string
  code: ErrorCode
  requestId: string
  param?: string
  details?: unknown
  docUrl?: string
}

/** What the body of a refusal has besides the error. */
export interface ErrorContext {
  readonly requestId: string
  /** The server whose pages explain every code; undefined if there is none. */
  readonly baseUrl: string | undefined
}

export function toErrorBody(error: ApiError, { requestId, baseUrl }: ErrorContext): ErrorBody {
  const { statusCode, message, code, param, details } = error
  const body: ErrorBody = { statusCode, message, code, requestId }
  if (param !== undefined) body.param = param
  if (details !== undefined) body.details = details
  if (baseUrl !== undefined) body.docUrl = `${baseUrl}/docs/errors#${code}`
  return body
}

/** What the framework refuses, in our words. */
const FRAMEWORK_ERRORS: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'Send the body as Content-Type: application/json.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'payload_too_large', message: 'The body is larger than 64 KB. Send less.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'validation_failed',
    message: 'The body is not as long as Content-Length says.',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'validation_failed', message: 'The body is not valid JSON.' },
  FST_ERR_BAD_URL: { code: 'validation_failed', message: 'The path is not a valid URL path.' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not_found', message: 'There is nothing at this path. See /docs for all paths.' },
}

/** Turns anything thrown while a request was handled into a refusal. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isUnavailable(error) || error instanceof QueueFullError) return unavailable()
  if (error instanceof SyntaxError) return new ApiError('validation_failed', 'The body is not valid JSON.')
  const { code, statusCode } = error as Partial<FastifyError>
  const known = FRAMEWORK_ERRORS[code ?? '']
  if (known !== undefined) return new ApiError(known.code, known.message)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError('validation_failed', 'The request could not be read. Check its headers and body.')
  }
  return new ApiError(
    'internal',
    'Something went wrong on our side. Try again with the same Idempotency-Key; give the requestId to the operator.',
  )
}

export function unavailable(): ApiError {
  return new ApiError(
    'unavailable',
    'The server cannot handle this now. Try again shortly with the same Idempotency-Key.',
    {
      headers: { 'retry-after': '1' },
    },
  )
}

/** Connections whose parser has failed. What still arrives on them fails again and is not answered again. */
const failed = new WeakSet<Socket>()

/**
 * Answers what the HTTP parser refuses and closes the connection. Such a request never reaches a route, so the body is
 * written by hand. Earlier requests of the connection are answered first: they were carried out, and their callers must
 * learn the outcome.
 */
export function respondToClientError(error: NodeJS.ErrnoException, socket: Socket, context: ErrorContext): void {
  if (failed.has(socket)) return
  failed.add(socket)
  answerInTurn(error, socket, context)
}

function answerInTurn(error: NodeJS.ErrnoException, socket: Socket, context: ErrorContext): void {
  // Node stores the current response of a connection here.
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: ServerResponse | null }
  // The refused request itself has an answer already, such as 413 while its body arrives; whoever sent it also closes.
  if (current?.headersSent === true && !current.req.complete) return
  if (current?.req.complete === true && !current.writableFinished && socket.writable) {
    current.once('close', () => answerInTurn(error, socket, context))
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = clientError(error.code)
  const body = JSON.stringify(toErrorBody(refusal, context))
  const head = [
    `HTTP/1.1 ${refusal.statusCode} ${STATUS_CODES[refusal.statusCode] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${context.requestId}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function clientError(code: string | undefined): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('request_timeout', 'The request did not arrive in time. Send it whole within 30 seconds.')
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError('request_header_too_large', 'The request line and headers are larger than 16 KB. Send less.')
  }
  return new ApiError('validation_failed', 'This is not a well-formed HTTP/1.1 request.')
}
