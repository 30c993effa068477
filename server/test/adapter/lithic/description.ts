// Compares requests and answers with Lithic's official OpenAPI description, which is not part of this repository. LITHIC_OPENAPI names the file
// (lithic-openapi.yml of lithic-com/lithic-openapi). Without it nothing is compared, and the tests say so.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Exchange } from '../../../src/adapter/simulators/lithic/api-server.ts'

type Json = Readonly<Record<string, unknown>>

interface Operation extends Json {
  readonly parameters?: readonly Json[]
  readonly requestBody?: { readonly content: Json }
  readonly responses: Readonly<Record<string, Json>>
}

export type DescriptionCheck = (exchange: Exchange) => string[]

/** Returns undefined, and says so, if there is no description to compare with. */
export function findDescriptionCheck(): DescriptionCheck | undefined {
  const { LITHIC_OPENAPI: file } = process.env
  if (file === undefined || !existsSync(file)) {
    console.info('LITHIC_OPENAPI names no file: requests and answers were not compared with the description of Lithic.')
    return undefined
  }
  return createDescriptionCheck(parseYaml(readFileSync(file, 'utf8')))
}

/** The linter of our own documents brings a parser of YAML. */
function parseYaml(text: string): Json {
  const require = createRequire(createRequire(import.meta.url).resolve('@redocly/cli/package.json'))
  const { load } = require('js-yaml') as { load(text: string): Json }
  return load(text)
}

function createDescriptionCheck(document: Json): DescriptionCheck {
  const ajv = new Ajv2020({ strict: false, logger: false })
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/)
  ajv.addSchema(document, 'lithic')
  const find = (pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((value, part) => (value as Json)[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)
  const resolve = (value: Json): Json =>
    typeof value['$ref'] === 'string' ? resolve(find(value['$ref'].slice(1)) as Json) : value
  const pointerOf = (pointer: string): string => {
    const value = find(pointer) as Json
    return typeof value['$ref'] === 'string' ? pointerOf(value['$ref'].slice(1)) : pointer
  }
  const compiled = new Map<string, ValidateFunction>()
  const validatorOf = (pointer: string): ValidateFunction => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `lithic#${pointer}` })
    compiled.set(pointer, validate)
    return validate
  }
  const validates = (pointer: string, value: unknown) => validatorOf(pointer)(value)
  const check = (what: string, pointer: string, value: unknown): string[] => [
    ...(validates(pointer, value) ? [] : [`${what}: ${ajv.errorsText(validatorOf(pointer).errors)}`]),
    ...unknownFields(pointer, value).map((name) => `${what} has a field that the description does not have: ${name}`),
  ]
  /** Returns the schemas that apply to a value: itself, the parts of it, and the branches that match. */
  const partsOf = (pointer: string, value: unknown): string[] => {
    const own = pointerOf(pointer)
    const schema = find(own) as { allOf?: Json[]; oneOf?: Json[]; anyOf?: Json[] }
    const all = (schema.allOf ?? []).flatMap((_, index) => partsOf(`${own}/allOf/${index}`, value))
    const some = (['oneOf', 'anyOf'] as const).flatMap((word) =>
      (schema[word] ?? []).flatMap((_, index) => {
        const branch = `${own}/${word}/${index}`
        return validates(branch, value) ? partsOf(branch, value) : []
      }),
    )
    return [own, ...all, ...some]
  }
  const unknownFields = (pointer: string, value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return []
    const parts = partsOf(pointer, value)
    if (Array.isArray(value)) {
      const list = parts.find((part) => 'items' in (find(part) as Json))
      return list === undefined ? [] : value.flatMap((item) => unknownFields(`${list}/items`, item))
    }
    // An object without properties, such as the payload of an event, may have any.
    const described = parts.filter((part) => 'properties' in (find(part) as Json))
    if (described.length === 0) return []
    return Object.entries(value).flatMap(([name, field]) => {
      const owner = described.find((part) => name in (find(part) as { properties: Json }).properties)
      return owner === undefined ? [name] : unknownFields(`${owner}/properties/${name.replaceAll('/', '~1')}`, field)
    })
  }
  const findPath = (path: string) =>
    Object.keys(document['paths'] as Json)
      .filter((template) => new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path))
      // A literal path wins over one with a parameter.
      .toSorted((a, b) => a.split('{').length - b.split('{').length)[0]

  return ({ method, path, query, headers, body, status, answer }) => {
    const template = findPath(path)
    const name = `${method} ${path}`
    if (template === undefined) return [`${name} is not described`]
    const base = `/paths/${template.replaceAll('/', '~1')}/${method.toLowerCase()}`
    const operation = find(base) as Operation | undefined
    if (operation === undefined) return [`${name} is not described`]
    const parameters = (operation.parameters ?? []).map(resolve)
    const knows = (place: string, parameter: string) =>
      parameters.some((one) => one['in'] === place && String(one['name']).toLowerCase() === parameter)
    const response = operation.responses[String(status)]
    // A test may send what is wrong. The simulator refuses it with 400, also where the description does not say how.
    const isRefused = status >= 400
    if (response === undefined) return status === 400 ? [] : [`${name} answers ${status}, which is not described`]
    return [
      ...Object.keys(query).flatMap((one) =>
        isRefused || knows('query', one) ? [] : [`${name} has no parameter ${one}`],
      ),
      ...(headers['idempotency-key'] !== undefined && !knows('header', 'idempotency-key')
        ? [`${name} takes no idempotency key`]
        : []),
      ...(body === undefined || isRefused
        ? []
        : check(`The body of ${name}`, `${base}/requestBody/content/application~1json/schema`, body)),
      ...check(`The answer to ${name}`, answerPointer(`${base}/responses/${status}`, pointerOf), answer),
    ]
  }
}

function answerPointer(response: string, pointerOf: (pointer: string) => string): string {
  return `${pointerOf(response)}/content/application~1json/schema`
}
