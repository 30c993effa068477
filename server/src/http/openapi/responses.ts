// The refusals of a document, one shared response for each status. All have the one body `Error`, so that code generators write
// one class for it; which codes a call can answer with is in its `x-error-codes`.
import { ERRORS, type ErrorCode } from '../../errors.ts'
import type { Route } from '../route.ts'
import { ERROR_MEANINGS } from './error-meanings.ts'
import { errorExamples, type Examples } from './examples.ts'
import { refusalHeaders } from './headers.ts'
import type { Json } from './json.ts'
import { documentedRefusals } from './refusals.ts'

type Status = (typeof ERRORS)[ErrorCode]

const NAMES: Readonly<Record<Status, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  431: 'RequestHeaderTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
}

export const ERROR_SCHEMA: Json = {
  type: 'object',
  description: 'Why a request was refused. Every refusal has this form.',
  required: ['statusCode', 'message', 'code', 'requestId'],
  properties: {
    statusCode: { type: 'integer', description: 'The HTTP status of the answer.' },
    message: { type: 'string', description: 'What happened and what to do next, for people. The wording may change.' },
    // Not an enumeration: a client that was generated today must be able to read a code that is added tomorrow.
    code: { type: 'string', description: 'What happened, for programs. A code never changes its meaning.' },
    requestId: { type: 'string', description: 'The id of the request, also in `X-Request-Id`.' },
    param: {
      type: 'string',
      description:
        'The field, parameter or header that is wrong, or that names an object which does not exist. Absent if it is none of these.',
    },
    details: {
      type: 'object',
      additionalProperties: true,
      description: 'Figures that belong to the code, such as `available` and `required` of `insufficient_funds`.',
    },
    docUrl: {
      type: 'string',
      format: 'uri',
      description: 'The page that explains the code and says what to do, on this server.',
    },
  },
}

/** Returns the responses of one operation, which refer to the shared ones. */
export function refusalReferences(route: Route): Json {
  const statuses = [...new Set(documentedRefusals(route).map((code) => ERRORS[code]))].toSorted((a, b) => a - b)
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${NAMES[status]}` }]))
}

/** Returns the shared responses of a document. Each describes all codes of its status that a call of the document can answer with. */
export function sharedResponses(routes: readonly Route[], examples: Examples): Json {
  const used = new Set(routes.flatMap(documentedRefusals))
  const isLimited = routes.some(({ access }) => access.by !== 'anyone')
  const responses: Json = {}
  for (const code of (Object.keys(ERRORS) as ErrorCode[]).filter((each) => used.has(each))) {
    const status = ERRORS[code]
    if (responses[NAMES[status]] !== undefined) continue
    const codes = [...used].filter((each) => ERRORS[each] === status)
    responses[NAMES[status]] = {
      description: codes.map((each) => `- \`${each}\`: ${ERROR_MEANINGS[each]}`).join('\n'),
      headers: refusalHeaders(status, { isLimited }),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' }, ...errorExamples(codes, examples) },
      },
    }
  }
  return responses
}
