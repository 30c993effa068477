// What the server refused about a form: each problem at its field, in the words of the form. Nothing here knows a form or the page.
import { CardstockError } from '@cardstock/sdk'
import { describeReason, describeUnknown, listOf, refusalsOf, SaidError } from './errors.ts'

/** The labels of a form's fields by the names that they have in the API. A part of an object has a point: `pricing.flatFee`. */
export type Labels = ReadonlyMap<string, string>

export interface Refusal {
  /** What is wrong with a field, by its name in the API. */
  readonly messages: ReadonlyMap<string, string>
  /** What no field of the form shows. */
  readonly rest: string | undefined
}

export const NO_REFUSAL: Refusal = { messages: new Map(), rest: undefined }

/** Places every problem of an error. A field shows the first of its problems. */
export function placeRefusal(error: unknown, labels: Labels): Refusal {
  const messages = new Map<string, string>()
  const rest: string[] = []
  for (const problem of problemsOf(error)) {
    const field = findField(problem.param, labels)
    const sentence = inWords(problem, field, labels)
    if (field === undefined) rest.push(sentence)
    else if (!messages.has(field)) messages.set(field, sentence)
  }
  // Not at a field, where it would go away as soon as the field is edited.
  const unknown = describeUnknown(error)
  if (unknown !== undefined) rest.push(unknown)
  return { messages, rest: rest.length === 0 ? undefined : rest.join(' ') }
}

/** Reports whether a field of what was sent is wrong. */
export function isAboutField(error: unknown): boolean {
  return error instanceof CardstockError && error.param !== undefined
}

interface Problem {
  /** The field in the API: `email`, `pricing.flatFee`, `allowedCidrs.3`. */
  readonly param: string | undefined
  readonly text: string
  /** Whether the text lacks its subject, which is the field. */
  readonly isPredicate: boolean
}

/** `body.email must be …`, as refusals of the schema begin, and `body.allowedCidrs: "x" is not …`. */
const NAMED = /^(?:body|query|params)\.([^\s:]+)(:?) (.+)$/s

function problemsOf(error: unknown): readonly Problem[] {
  const ofFields = [...refusalsOf(error)]
  if (ofFields.length > 0) return ofFields.map(([param, text]) => ({ param, text, isPredicate: false }))
  const texts = listOf(error, 'problems')
  const param = error instanceof CardstockError || error instanceof SaidError ? error.param : undefined
  return (texts.length === 0 ? [describeReason(error)] : texts).map((text) => {
    const [, named, colon, said] = NAMED.exec(text) ?? []
    if (named === undefined || said === undefined) return { param, text, isPredicate: false }
    return { param: named, text: said, isPredicate: colon === '' }
  })
}

/** Returns the field of a form that shows a problem: the one of that name, or the one that has the whole list. */
function findField(param: string | undefined, labels: Labels): string | undefined {
  if (param === undefined || labels.has(param)) return param
  const end = param.lastIndexOf('.')
  return end === -1 ? undefined : findField(param.slice(0, end), labels)
}

/** How the API says things that a form says differently. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/"([\d.]+)"/g, '$1'],
  [/\ba decimal string\b/g, 'a number'],
  [/\b(leave) (it|those) out\b/gi, '$1 $2 empty'],
  [/\bmust NOT\b/g, 'must not'],
]
/** Names of the API that cannot be words of a sentence. */
const NAMES = /\b(?:(?:body|query)\.[\w.]*\w|[a-z]+[A-Z]\w*)\b/g

function inWords({ param, text, isPredicate }: Problem, field: string | undefined, labels: Labels): string {
  const subject = isPredicate ? `${subjectOf(param ?? '', field, labels)} ` : ''
  const named = text.replaceAll(
    NAMES,
    (name) => findLabel(name.replace(/^(?:body|query)\./, ''), field, labels) ?? name,
  )
  const said = PHRASES.reduce((words, [phrase, instead]) => words.replaceAll(phrase, instead), named)
  return `${subject}${said}${/[.!?]$/.test(said) ? '' : '.'}`
}

/** `E-mail`, or of an entry in a list `Addresses, number 4,`. */
function subjectOf(param: string, field: string | undefined, labels: Labels): string {
  if (field === undefined) return param
  const label = labels.get(field) ?? field
  const entry = param.slice(field.length + 1)
  return /^\d+$/.test(entry) ? `${label}, number ${Number(entry) + 1},` : label
}

/** Fields beside the one that is wrong come first: two prices in one form have the same names. */
function findLabel(name: string, field: string | undefined, labels: Labels): string | undefined {
  const beside = field?.includes('.') === true ? `${field.slice(0, field.lastIndexOf('.'))}.${name}` : name
  const label = labels.get(beside) ?? labels.get(name)
  return label === undefined ? undefined : `“${label}”`
}
