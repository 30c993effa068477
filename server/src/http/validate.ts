// Compiles schemas into checks, and turns what a check found into a sentence that says what to change.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { ApiError } from '../errors.ts'
import { findDate, findDateTime } from './instant.ts'

/** Nobody would read more problems. */
const PROBLEMS_MAX = 10

/** `isTelling`: it finds every problem, and what is needed to explain it. Otherwise it stops at the first. */
function createAjv({ isTelling }: { isTelling: boolean }): Ajv {
  const ajv = new Ajv({
    allErrors: isTelling,
    verbose: isTelling,
    discriminator: true,
    strict: 'log',
    allowUnionTypes: true,
    logger: false,
  })
  ajv.addFormat('date-time', (text: string) => findDateTime(text) !== undefined)
  ajv.addFormat('date', (text: string) => findDate(text) !== undefined)
  ajv.addFormat('email', (text: string) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text))
  // For the documents only: whether a webhook's URL is acceptable is a rule with an error code of its own.
  ajv.addFormat('uri', true)
  return ajv
}

const ajv = createAjv({ isTelling: true })
/** Many routes have the same parameters, so each schema is compiled once. */
const compiled = new Map<string, ValidateFunction>()

function compile(schema: object): ValidateFunction {
  const text = JSON.stringify(schema)
  const known = compiled.get(text)
  if (known !== undefined) return known
  const validate = ajv.compile(schema)
  compiled.set(text, validate)
  return validate
}

interface Check {
  (data: unknown): boolean
  errors: ErrorObject[] | null
}

/** Compiling every schema would take most of the time of a start, so a schema is compiled for its first request. */
function compileLater(schema: object): Check {
  let validate: ValidateFunction | undefined
  const check: Check = Object.assign(
    (data: unknown) => {
      validate ??= compile(schema)
      const isValid = validate(data)
      check.errors = validate.errors ?? null
      return isValid
    },
    { errors: null },
  )
  return check
}

/**
 * Returns a check of values that do not come from a client, such as the issuer's answers. It stops at the first problem: nobody
 * is told what is wrong, and to list every problem of a long answer would take much memory.
 */
export function createCheck<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  let validate: ValidateFunction | undefined
  return (value): value is Static<Schema> => {
    validate ??= createAjv({ isTelling: false }).compile(schema)
    return validate(value)
  }
}

/** Values of bodies are not converted. Query strings are text, so numbers in them must be converted. */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) => {
    const validate = compileLater(schema)
    if (httpPart !== 'querystring') return validate
    const integers = Object.entries((schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {})
      .filter(([, { type }]) => type === 'integer')
      .map(([name]) => name)
    const validateQuery = (query: Record<string, unknown>) => {
      for (const name of integers) if (query[name] !== undefined) query[name] = parseInteger(query[name])
      const isValid = validate(query)
      validateQuery.errors = validate.errors
      return isValid
    }
    validateQuery.errors = null as ErrorObject[] | null
    return validateQuery
  }
}

/** Converts plain digits and leaves everything else for the schema to refuse: Ajv would read 1e1, 0x0a and 10.0 as ten. */
function parseInteger(text: unknown): unknown {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text
}

export function validationError(errors: readonly ErrorObject[], part: string): ApiError {
  const where = part === 'querystring' ? 'query' : part
  const problems = [...new Set(errors.filter(isWorthTelling).map((error) => explain(error, where)))].slice(
    0,
    PROBLEMS_MAX,
  )
  return new ApiError('validation_failed', `${problems.join('; ')}.`, { details: { problems } })
}

/** Union keywords only repeat that one of their branches failed. */
function isWorthTelling(error: ErrorObject): boolean {
  return error.keyword !== 'anyOf' && error.keyword !== 'oneOf' && error.keyword !== 'if'
}

function explain(error: ErrorObject, where: string): string {
  const name = `${where}${error.instancePath.replaceAll('/', '.')}`
  const schema = error.parentSchema as { hint?: string } | undefined
  switch (error.keyword) {
    case 'required':
      return `${name}.${String(error.params['missingProperty'])} is required`
    case 'additionalProperties':
      return `${name}.${String(error.params['additionalProperty'])} is not a known field here; remove it`
    case 'enum':
      return `${name} must be one of ${(error.params['allowedValues'] as string[]).join(', ')}`
    case 'minProperties':
      return `${name} must have at least one field`
    case 'discriminator':
      return `${name}.${String(error.params['tag'])} must be one of the documented values`
    default:
      return schema?.hint === undefined
        ? `${name} ${error.message ?? 'is not valid'}`
        : `${name} must be ${schema.hint}`
  }
}
