// Shows a schema as a list of fields: name, type, whether it is required, what it means, and its limits. Nested objects can be
// opened; objects that have a section of their own are linked.
import { type Document, flatten, type Parameter, referenceOf, resolve, type Schema } from './document.ts'
import { escape } from './html.ts'
import { renderInline, renderText } from './markdown.ts'
import { PATTERN_TEXTS } from './pattern-texts.ts'

/** No object of the documents is nested deeper. It ends an object that contains itself. */
const DEPTH_MAX = 5

export interface FieldContext {
  readonly document: Document
  /** Where an object is described, if it has a section of its own. */
  linkOf(component: string): string | undefined
}

export function renderParameters(parameters: readonly Parameter[], context: FieldContext): string {
  const items = parameters.map(({ name, in: place, required, description = '', schema }) =>
    renderField(name, { ...schema, description }, { required, place, depth: 0 }, context),
  )
  return `<ul class="fields">${items.join('')}</ul>`
}

/** The fields of a body or an answer. */
export function renderSchema(schema: Schema, context: FieldContext, depth = 0): string {
  const variants = schema.oneOf ?? schema.anyOf ?? resolve(schema, context.document).oneOf
  if (variants !== undefined) return renderVariants(schema, variants, context, depth)
  const { properties = {}, required = [], items } = flatten(schema, context.document)
  if (items !== undefined) return renderSchema(items, context, depth)
  const fields = Object.entries(properties).map(([name, property]) =>
    renderField(name, property, { required: required.includes(name), place: '', depth }, context),
  )
  return fields.length === 0 ? '<p>An empty object.</p>' : `<ul class="fields">${fields.join('')}</ul>`
}

/** A choice between objects. The value that decides is named in the heading of each. */
function renderVariants(schema: Schema, variants: readonly Schema[], context: FieldContext, depth: number): string {
  const { discriminator } = resolve(schema, context.document)
  const items = variants.map((variant, index) => {
    const name = referenceOf(variant) ?? ''
    const link = context.linkOf(name)
    const { description = '' } = flatten(variant, context.document)
    const values = Object.entries(discriminator?.mapping ?? {}).filter(([, target]) => target.endsWith(`/${name}`))
    const decides = values.map(([value]) => `<code>${escape(`${discriminator?.propertyName}: "${value}"`)}</code>`)
    const title = decides.length > 0 ? decides.join(' or ') : `<code>${escape(name)}</code>`
    if (link !== undefined) {
      return `<p class="variant-link"><a href="${link}">${title}</a> ${renderInline(description)}</p>`
    }
    return `<details class="variant"${index === 0 ? ' open' : ''}><summary>${title} ${renderInline(description)}</summary>${renderSchema(variant, context, depth + 1)}</details>`
  })
  return `<div class="variants"><p class="one-of">One of:</p>${items.join('')}</div>`
}

interface Place {
  readonly required: boolean
  /** `path`, `query` or `header` for parameters. */
  readonly place: string
  readonly depth: number
}

function renderField(name: string, schema: Schema, { required, place, depth }: Place, context: FieldContext): string {
  const { document } = context
  const { description = '' } = resolve(schema, document)
  const badges = [
    `<span class="type">${typeOf(schema, context)}</span>`,
    ...(place === '' ? [] : [`<span class="place">${place}</span>`]),
    required ? '<span class="required">required</span>' : '<span class="optional">optional</span>',
  ]
  const limits = limitsOf(itemOf(schema, document))
  return `<li><div class="field-head"><code class="name">${escape(name)}</code> ${badges.join(' ')}</div>
<div class="field-text">${renderText(description)}${limits.length === 0 ? '' : `<p class="limits">${limits.join(' ')}</p>`}${renderNested(name, schema, depth, context)}</div></li>`
}

/** A list is described by what is in it, and something that may be null by what it is otherwise. */
function itemOf(schema: Schema, document: Document): Schema {
  const resolved = resolve(schema, document)
  if (resolved.items !== undefined) return itemOf(resolved.items, document)
  const other = resolved.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return other.length === 1 && other[0] !== undefined ? resolve(other[0], document) : resolved
}

function renderNested(name: string, schema: Schema, depth: number, context: FieldContext): string {
  const list = [schema, schema.items, ...(schema.anyOf ?? [])].flatMap((part) => (part === undefined ? [] : [part]))
  if (list.some((part) => context.linkOf(referenceOf(part) ?? '') !== undefined)) return ''
  const item = itemOf(schema, context.document)
  const isNested = item.properties !== undefined || item.oneOf !== undefined || item.allOf !== undefined
  if (!isNested || depth >= DEPTH_MAX) return ''
  return `<details class="nested"><summary>Fields of <code>${escape(name)}</code></summary>${renderSchema(item, context, depth + 1)}</details>`
}

function typeOf(schema: Schema, context: FieldContext): string {
  const component = referenceOf(schema)
  if (component !== undefined) {
    const link = context.linkOf(component)
    return link === undefined ? 'object' : `<a href="${link}">${escape(component)}</a>`
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeOf(choice, context)))].join(' or ')
  if (schema.items !== undefined) return `list of ${typeOf(schema.items, context)}`
  const types = [schema.type ?? 'any'].flat()
  const format = schema.format === undefined ? '' : ` (${escape(schema.format)})`
  return escape(types.join(' or ')) + format
}

/** What a value must be, in sentences. */
export function limitsOf(schema: Schema): string[] {
  const { enum: values, const: value, minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = schema
  const code = (text: unknown) => `<code>${escape(String(text))}</code>`
  return [
    ...(values === undefined ? [] : [`One of ${values.map(code).join(', ')}.`]),
    ...(value === undefined ? [] : [`Always ${code(value)}.`]),
    ...rangeOf(minLength, maxLength, 'characters'),
    ...rangeOf(minimum, maximum, ''),
    ...rangeOf(minItems, maxItems, 'items'),
    ...(pattern === undefined ? [] : [PATTERN_TEXTS[pattern] ?? `Matches ${code(pattern)}.`]),
    ...(schema.default === undefined ? [] : [`${code(schema.default)} by default.`]),
  ]
}

function rangeOf(low: number | undefined, high: number | undefined, unit: string): string[] {
  const end = unit === '' ? '' : ` ${unit}`
  if (low !== undefined && high !== undefined) return [low === high ? `${low}${end}.` : `${low} to ${high}${end}.`]
  if (high !== undefined) return [`At most ${high}${end}.`]
  return low === undefined ? [] : [`At least ${low}${end}.`]
}
