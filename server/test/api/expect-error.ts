// The one error body of the contract, checked the same way everywhere.
import { expect } from 'vitest'
import { ERRORS, type ErrorCode } from '../../src/errors.ts'
import type { TestAnswer } from '../support/harness.ts'

export interface ErrorBody {
  statusCode: number
  message: string
  code: ErrorCode
  requestId: string
  param?: string
  details?: Record<string, unknown>
  docUrl: string
}

/** Expects `{statusCode, message, code, requestId, param?, details?, docUrl}`, no other fields, and X-Request-Id. */
export function expectError(answer: TestAnswer<unknown>, code: ErrorCode): ErrorBody {
  const body = answer.body as ErrorBody
  expect({ status: answer.status, code: body?.code, text: answer.text }).toEqual({
    status: ERRORS[code],
    code,
    text: answer.text,
  })
  expect(body.statusCode).toBe(answer.status)
  expect(body.message).toMatch(/^.{10,}\.$|^.{10,}…$|^.{10,}$/)
  expect(body.requestId).toBe(answer.headers.get('x-request-id'))
  expect(body.requestId).not.toBe('')
  expect(body.docUrl.replace(/^https?:\/\/[^/]+/, '')).toBe(`/docs/errors#${code}`)
  const known = new Set(['statusCode', 'message', 'code', 'requestId', 'param', 'details', 'docUrl'])
  expect(Object.keys(body).filter((name) => !known.has(name))).toEqual([])
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  return body
}
