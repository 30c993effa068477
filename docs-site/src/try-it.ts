// What the "try it" dialog in the browser needs to know of a call. Only calls that a sandbox key may make have one.
import { casesOf } from './cases.ts'
import { type Call, JSON_TYPE, successesOf } from './document.ts'

export interface TryIt {
  readonly summary: string
  readonly method: string
  readonly path: string
  readonly idempotent: boolean
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly value: string
  }[]
  /** Example bodies by name; none when the call takes no body. */
  readonly bodies: Readonly<Record<string, unknown>>
  /** Where the reader's own ids are found, by the name of the parameter or of the field of the body. */
  readonly idSources: Readonly<Record<string, string>>
}

const BODY_ID_SOURCES = { holderId: '/api/v1/holders?limit=1', cardId: '/api/v1/cards?limit=1' }
/** The sandbox acts on objects that other calls list. */
const SANDBOX_LISTS: Readonly<Record<string, string>> = {
  '/api/v1/sandbox/invoices': '/api/v1/card-account/invoices',
  '/api/v1/sandbox/transactions': '/api/v1/transactions',
  '/api/v1/sandbox/reviews': '/api/v1/operations?status=manual_review',
}

export function tryItData(call: Call): TryIt | undefined {
  const { method, path, operation } = call
  const takesKey = operation.security.some((scheme) => 'apiKey' in scheme)
  const answersText = successesOf(operation).some(([, { content }]) => content !== undefined && !(JSON_TYPE in content))
  if (!takesKey || answersText) return undefined
  const parameters = operation.parameters.filter(({ in: place }) => place !== 'header')
  return {
    summary: operation.summary,
    method,
    path,
    idempotent: operation.parameters.some(({ name }) => name === 'Idempotency-Key'),
    parameters: parameters.map(({ name, in: place, required, example }) => ({
      name,
      in: place,
      required,
      // An optional filter would only hide what the reader's own company has.
      value: required ? String(example ?? '') : '',
    })),
    bodies: Object.fromEntries(
      casesOf(call).flatMap(({ name, body }) => (body === undefined ? [] : [[name, body] as const])),
    ),
    idSources: idSourcesOf(call),
  }
}

/** What is at `…/things/{id}` is listed by `…/things`. */
function idSourcesOf({ path, operation }: Call): Record<string, string> {
  const [before, after] = path.split('/{id}')
  const examples = JSON.stringify(operation.requestBody?.content[JSON_TYPE]?.examples ?? {})
  const list = before === undefined || after === undefined ? undefined : (SANDBOX_LISTS[before] ?? before)
  return {
    ...(list === undefined ? {} : { id: `${list}${list.includes('?') ? '&' : '?'}limit=1` }),
    ...Object.fromEntries(Object.entries(BODY_ID_SOURCES).filter(([name]) => examples.includes(`"${name}"`))),
  }
}
