// Compiles schemas into checks, and turns what a check found into a sentence that says what to change.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { ApiError } from '../errors.ts'
import { findDate, findDateTime } from './instant.ts'

/** Nobody would read more problems. */
const PROBLEMS_MAX = 10

/** More than any body of ours has. To list every problem of a longer one would stop the server for a tenth of a second. */
const VALUES_MAX = 500

/** `findsAll`: it finds every problem. Otherwise it stops at the first. `isTelling`: it keeps what is needed to explain one. */
function createAjv({ findsAll, isTelling }: { findsAll: boolean; isTelling: boolean }): Ajv {
  const ajv = new Ajv({
    allErrors: findsAll,
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

/** Many routes have the same parameters, so each schema is compiled once. */
function compileOnce(ajv: Ajv): (schema: object) => ValidateFunction {
  const compiled = new Map<string, ValidateFunction>()
  return (schema) => {
    const text = JSON.stringify(schema)
    const known = compiled.get(text)
    if (known !== undefined) return known
    const validate = ajv.compile(schema)
    compiled.set(text, validate)
    return validate
  }
}

const compileForAll = compileOnce(createAjv({ findsAll: true, isTelling: true }))
const compileForFirst = compileOnce(createAjv({ findsAll: false, isTelling: true }))

/** Reports whether a value from a client has at most VALUES_MAX values in it. */
function isShort(data: unknown): boolean {
  const values = [data]
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Object.values(value)) if (values.push(inner) > VALUES_MAX) return false
  }
  return true
}

interface Check {
  (data: unknown): boolean
  errors: ErrorObject[] | null
}

/** Compiling every schema would take most of the time of a start, so a schema is compiled for its first request. */
function compileLater(schema: object): Check {
  let forAll: ValidateFunction | undefined
  let forFirst: ValidateFunction | undefined
  const check: Check = Object.assign(
    (data: unknown) => {
      let validate = (forFirst ??= compileForFirst(schema))
      let isValid = validate(data)
      // Nearly all data is valid, and to find every problem of it would take longer.
      if (!isValid && isShort(data)) {
        validate = forAll ??= compileForAll(schema)
        isValid = validate(data)
      }
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
    validate ??= createAjv({ findsAll: false, isTelling: false }).compile(schema)
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

/** What is wrong with one value: the field's path without the part of the request, and a sentence without its full stop. */
interface Problem {
  readonly param: string
  readonly text: string
}

/** The refusal names the first wrong field as its `param`; nothing is named if the body as a whole is wrong. */
export function validationError(errors: readonly ErrorObject[], part: string): ApiError {
  const where = part === 'querystring' ? 'query' : part
  const problems = errors.filter(isWorthTelling).map((error) => explain(error, where))
  const texts = [...new Set(problems.map(({ text }) => text))].slice(0, PROBLEMS_MAX)
  const [first] = problems
  const named = first === undefined || first.param === '' ? {} : { param: first.param }
  return new ApiError('validation_failed', `${texts.join('; ')}.`, { ...named, details: { problems: texts } })
}

/** Union keywords only repeat that one of their branches failed, and a missing tag is told as a missing field. */
function isWorthTelling({ keyword, params }: ErrorObject): boolean {
  if (keyword === 'discriminator') return params['error'] !== 'tag' || params['tagValue'] !== undefined
  return keyword !== 'anyOf' && keyword !== 'oneOf' && keyword !== 'if'
}

function explain(error: ErrorObject, where: string): Problem {
  const own = error.instancePath.slice(1).replaceAll('/', '.')
  const inside = (name: unknown) => (own === '' ? String(name) : `${own}.${String(name)}`)
  const problem = (param: string, text: string) => ({
    param,
    text: `${param === '' ? where : `${where}.${param}`} ${text}`,
  })
  const schema = error.parentSchema as { hint?: string; signHint?: string } | undefined
  switch (error.keyword) {
    case 'required':
      return problem(inside(error.params['missingProperty']), `is required${valuesText(error)}`)
    case 'additionalProperties':
      return problem(inside(error.params['additionalProperty']), 'is not a known field here; remove it')
    case 'enum':
      return problem(own, `must be one of ${(error.params['allowedValues'] as string[]).join(', ')}`)
    case 'minProperties':
      return problem(own, 'must have at least one field')
    case 'discriminator':
      return problem(inside(error.params['tag']), `must be one of ${tagValues(error).join(', ')}`)
    default:
      if (schema?.signHint !== undefined && isNegative(error.data)) return problem(own, `must be ${schema.signHint}`)
      return problem(own, schema?.hint === undefined ? (error.message ?? 'is not valid') : `must be ${schema.hint}`)
  }
}

/** A negative amount is a mistake of meaning, not of spelling. */
function isNegative(value: unknown): boolean {
  return typeof value === 'number' ? value < 0 : typeof value === 'string' && /^\s*[-−]\s*\d/.test(value)
}

interface Union {
  discriminator?: { propertyName: string }
  oneOf?: readonly { properties?: Record<string, { const?: unknown; enum?: readonly unknown[] }> }[]
}

/** Returns the values of the field that decides between the branches of a union. */
function tagValues({ parentSchema }: ErrorObject): string[] {
  const { discriminator, oneOf = [] } = parentSchema as Union
  const tag = discriminator?.propertyName ?? ''
  return oneOf.flatMap(({ properties }) => properties?.[tag]?.enum ?? [properties?.[tag]?.const]).map(String)
}

/** Returns what a missing field may be, if it decides between the branches of a union. */
function valuesText(error: ErrorObject): string {
  const { discriminator } = error.parentSchema as Union
  const isTag = discriminator?.propertyName === error.params['missingProperty']
  return isTag ? `; it must be one of ${tagValues(error).join(', ')}` : ''
}
