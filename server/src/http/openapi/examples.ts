// The examples of the documents. They were recorded from a running server by `npm run examples`; a test runs the same calls
// again and compares.
import { readFileSync } from 'node:fs'
import type { ErrorCode } from '../../errors.ts'
import { packagePath } from '../../lib/package-path.ts'
import type { Json } from './json.ts'

export interface OperationExamples {
  /** Request bodies by name. */
  readonly requests?: Readonly<Record<string, unknown>>
  /** Values of path, query and header parameters. */
  readonly parameters?: Readonly<Record<string, string | number>>
  /** Response bodies by status, then by name. */
  readonly responses: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export interface Examples {
  readonly operations: Readonly<Record<string, OperationExamples>>
  readonly errors: Readonly<Partial<Record<ErrorCode, unknown>>>
  readonly events: Readonly<Record<string, unknown>>
}

const FILE = packagePath('openapi-examples.json')

export function readExamples(): Examples {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Examples
}

/** `examples` of a media type; empty when there are none. */
export function jsonExample(values: Readonly<Record<string, unknown>> | undefined): Json {
  const entries = Object.entries(values ?? {})
  if (entries.length === 0) return {}
  return { examples: Object.fromEntries(entries.map(([name, value]) => [name, { value }])) }
}

/** Errors are shared components, because nearly every operation has the same ones. */
export function errorExamples(codes: readonly ErrorCode[], { errors }: Examples): Json {
  const known = codes.filter((code) => errors[code] !== undefined)
  if (known.length === 0) return {}
  return { examples: Object.fromEntries(known.map((code) => [code, { $ref: `#/components/examples/${code}` }])) }
}
