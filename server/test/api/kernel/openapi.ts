// Looks through an OpenAPI document for what readers and code generators would miss.
export interface OpenApi {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, { content: Record<string, { schema: Schema }> }>
    securitySchemes: object
    pathItems?: object
  }
}

interface Operation {
  operationId: string
  summary: string
  description?: string
  security: object[]
  'x-error-codes': string[]
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema; examples?: object }> }>
  requestBody?: { content: Record<string, { schema: Schema; examples?: object }> }
  parameters: { name: string; in: string; description?: string; schema: Schema }[]
}

interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: string[]
  discriminator?: { mapping: Record<string, string> }
}

export function findUndescribed(document: OpenApi): string[] {
  const missing: string[] = []
  const check = (where: string, description: string | undefined) => {
    if (description === undefined || !/^[`A-Z0-9][^]*\.$/.test(description)) missing.push(`${where}: ${description}`)
  }
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      check(`${method} ${path}`, operation.description)
      for (const parameter of operation.parameters) check(`${method} ${path} ${parameter.name}`, parameter.description)
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    check(name, schema.description)
    for (const [property, value] of Object.entries(schema.properties ?? {})) {
      const isReference = value.$ref !== undefined || value.anyOf?.some((choice) => choice.$ref !== undefined)
      if (isReference !== true) check(`${name}.${property}`, value.description)
    }
  }
  return missing
}

/** Objects and unions that are not components. Generators would number them. */
export function findNameless(document: OpenApi): string[] {
  const found: string[] = []
  const walk = (schema: Schema, where: string, isNamed: boolean) => {
    const isUnion = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].filter(({ type }) => type !== 'null').length > 1
    if (!isNamed && (schema.properties !== undefined || isUnion)) found.push(where)
    for (const [name, value] of Object.entries(schema.properties ?? {})) walk(value, `${where}.${name}`, false)
    for (const value of [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
      if (value !== undefined) walk(value, where, false)
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) walk(schema, name, true)
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      for (const [status, response] of [
        ...Object.entries(operation.responses),
        ['body', operation.requestBody ?? {}] as const,
      ]) {
        for (const { schema } of Object.values(response.content ?? {}))
          walk(schema, `${method} ${path} ${status}`, false)
      }
    }
  }
  return found
}
