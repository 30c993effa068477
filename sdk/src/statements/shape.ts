// Checks whether a value has the format of a statement. Every field must match its exact pattern, so that a statement that
// passes can be written again byte for byte. Reports unknown and missing fields by name.
import type { Statement } from '../generated/types.ts'
import { ENTRY_KINDS } from '../generated/values.ts'
import { findDay } from './days.ts'
import type { ENTRY_FIELDS } from './fields.ts'

export interface StatementProblem {
  /** The field, such as `data[3].amount`. */
  readonly where: string
  /** What does not fit, in a sentence without a subject. */
  readonly problem: string
}

type Check = (value: unknown) => boolean
type Shape = Readonly<Record<string, Check>>

const matching =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const isText: Check = (value) => typeof value === 'string'
const isSigned = matching(/^(0|-?[1-9]\d{0,15}|-0(?=\.(0[1-9]|[1-9]\d)))\.\d\d$/)
const isUnsigned = matching(/^(0|[1-9]\d{0,15})\.\d\d$/)
const isHash = matching(/^[0-9a-f]{64}$/)
const isDay: Check = (value) => typeof value === 'string' && findDay(value) !== undefined
const isInstant: Check = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value
const isNumber: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0

const COMPANY: Shape = { id: matching(/^co_[0-9a-f]{32}$/), name: isText }
const PROOF: Shape = {
  firstNumber: (value) => isNumber(value) && (value as number) > 0,
  lastNumber: isNumber,
  openingHeld: isUnsigned,
  hashBefore: isHash,
  hashAfter: isHash,
  digest: isHash,
}
const HEAD: Shape = {
  company: isObject,
  environment: (value) => value === 'sandbox' || value === 'live',
  currency: isText,
  account: isText,
  from: isDay,
  to: isDay,
  openingBalance: isUnsigned,
  closingBalance: isUnsigned,
  incoming: isUnsigned,
  outgoing: isUnsigned,
  generatedAt: isInstant,
  data: Array.isArray,
  proof: isObject,
}
const ENTRY: Record<(typeof ENTRY_FIELDS)[number], Check> = {
  id: matching(/^ent_[0-9a-f]{32}$/),
  reference: matching(/^[a-z]+_[0-9a-f]{32}$/),
  kind: (value) => ENTRY_KINDS.some((kind) => kind === value),
  description: matching(/^[A-Za-z, -]+$/),
  amount: isSigned,
  balance: isUnsigned,
  availableDelta: isSigned,
  heldDelta: isSigned,
  createdAt: isInstant,
}

/** @internal */
export function checkShape(document: unknown): { statement: Statement | undefined; problems: StatementProblem[] } {
  if (!isObject(document))
    return { statement: undefined, problems: [{ where: 'document', problem: 'is not an object' }] }
  const problems = checkFields(document, HEAD, '')
  if (isObject(document['company'])) problems.push(...checkFields(document['company'], COMPANY, 'company.'))
  if (isObject(document['proof'])) problems.push(...checkFields(document['proof'], PROOF, 'proof.'))
  if (Array.isArray(document['data'])) {
    for (const [index, entry] of (document['data'] as unknown[]).entries()) {
      if (isObject(entry)) problems.push(...checkFields(entry, ENTRY, `data[${index}].`))
      else problems.push({ where: `data[${index}]`, problem: 'is not an object' })
    }
  }
  return { statement: problems.length === 0 ? (document as unknown as Statement) : undefined, problems }
}

function checkFields(value: Record<string, unknown>, shape: Shape, prefix: string): StatementProblem[] {
  const known = Object.entries(shape).flatMap(([name, check]) => {
    if (!Object.hasOwn(value, name)) return [{ where: prefix + name, problem: 'is missing' }]
    return check(value[name]) ? [] : [{ where: prefix + name, problem: 'is not in the format the server writes' }]
  })
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(shape, name))
  return [...known, ...unknown.map((name) => ({ where: prefix + name, problem: 'is not a field of a statement' }))]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
