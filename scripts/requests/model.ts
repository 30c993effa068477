// Reads the calls of the OpenAPI documents as example requests, whose ids are variables. bruno.ts and http-file.ts write
// them for two kinds of API clients.

type Value = string | number | boolean | null | Value[] | { [name: string]: Value }

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, unknown>[]
  parameters?: { name: string; in: string; required?: boolean; example?: string | number | boolean }[]
  requestBody?: { content: Record<string, { examples?: Record<string, { value: Value }> }> }
  responses: Record<string, unknown>
}

export interface RequestDocument {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
}

export interface ExampleRequest {
  /** The operationId of the document. */
  readonly id: string
  readonly name: string
  readonly description: string
  /** Whose call it is. */
  readonly group: GroupName
  /** The tag of the document. */
  readonly folder: string
  readonly method: string
  /** With a variable for each id. */
  readonly path: string
  readonly query: readonly { readonly name: string; readonly value: string; readonly isRequired: boolean }[]
  readonly isIdempotent: boolean
  /** The variable that holds the key or the token; undefined for a call that needs none. */
  readonly tokenVariable: string | undefined
  readonly body: string | undefined
  /** The first status of a success. */
  readonly status: string
}

export type GroupName = 'company' | 'operator'

export interface RequestFolder {
  readonly group: GroupName
  readonly name: string
  readonly description: string
}

export interface RequestCollection {
  readonly folders: readonly RequestFolder[]
  readonly requests: readonly ExampleRequest[]
  /** Variables with a recorded value. They name objects, and a reader replaces them. */
  readonly ids: Readonly<Record<string, string>>
}

export const BASE_URL = 'http://127.0.0.1:8080'
const TOKEN_VARIABLES: Readonly<Record<string, string>> = { apiKey: 'apiKey', operatorToken: 'operatorToken' }
/** Fields of bodies that name an object, with the variable that holds its id. */
const ID_FIELDS: Readonly<Record<string, string>> = {
  holderId: 'holderId',
  cardId: 'cardId',
  companyId: 'companyId',
  endpointId: 'webhookEndpointId',
}

export function readRequests(documents: Readonly<Record<GroupName, RequestDocument>>): RequestCollection {
  const ids: Record<string, string> = {}
  const folders: RequestFolder[] = []
  const requests: ExampleRequest[] = []
  for (const group of ['company', 'operator'] as const) {
    const { tags, paths } = documents[group]
    const own = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => isShown(operation))
        .map(([method, operation]): ExampleRequest => ({ group, ...toRequest(path, method, operation, ids) })),
    )
    requests.push(...own)
    const used = new Set(own.map(({ folder }) => folder))
    folders.push(...tags.filter(({ name }) => used.has(name)).map((tag) => ({ group, ...tag })))
  }
  return { folders, requests, ids }
}

/** Pages for people and the documents themselves are read with a browser. */
function isShown({ security }: Operation): boolean {
  return security.length > 0
}

function toRequest(
  path: string,
  method: string,
  operation: Operation,
  ids: Record<string, string>,
): Omit<ExampleRequest, 'group'> {
  const { operationId, summary, description, tags, parameters = [], requestBody, responses } = operation
  for (const parameter of parameters)
    if (parameter.in === 'path') ids[variableOf(path, parameter.name)] ??= String(parameter.example ?? '')
  const example = Object.values(requestBody?.content['application/json']?.examples ?? {})[0]?.value
  const [scheme = ''] = operation.security.flatMap((one) => Object.keys(one))
  return {
    id: operationId,
    name: summary,
    description,
    folder: tags[0] ?? '',
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{{${variableOf(path, name)}}}`),
    query: parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, example: value, required }) => ({
        name,
        value: value === undefined ? '' : String(value),
        isRequired: required === true,
      })),
    isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    tokenVariable: TOKEN_VARIABLES[scheme],
    body: example === undefined ? undefined : JSON.stringify(withVariables(example, ids), null, 2),
    status: Object.keys(responses).find((status) => status.startsWith('2')) ?? '',
  }
}

/** `{id}` of /api/v1/cards/{id}/freeze is `cardId`; a parameter with another name keeps it. */
function variableOf(path: string, name: string): string {
  if (name !== 'id') return name
  const resource = /([\w-]+)\/\{id\}/.exec(path)?.[1] ?? ''
  const singular = resource.replace(/ies$/, 'y').replace(/s$/, '')
  return `${singular.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`
}

function withVariables(value: Value, ids: Record<string, string>): Value {
  if (Array.isArray(value)) return value.map((item) => withVariables(item, ids))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]): [string, Value] => {
    const variable = ID_FIELDS[name]
    if (variable === undefined || typeof field !== 'string') return [name, withVariables(field, ids)]
    ids[variable] ??= field
    return [name, `{{${variable}}}`]
  })
  return Object.fromEntries(fields)
}
