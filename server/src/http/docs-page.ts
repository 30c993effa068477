// The reference page at /docs: plain HTML made from the OpenAPI document. No script, nothing loaded from elsewhere.
import { createHash } from 'node:crypto'

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: string[]
  const?: string
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
}
interface Content {
  content?: Record<string, { schema: Schema }>
}
interface Operation {
  summary: string
  description?: string
  tags: string[]
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content & { description: string }>
}
export interface Document {
  info: { title: string; version: string; description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const STYLE = `
:root { color-scheme: light dark; --border: #8884; --soft: #8881; --accent: light-dark(#0b57d0, #8ab4f8) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem 1.25rem 4rem }
code, .path { font-family: ui-monospace, monospace; font-size: .925em }
a { color: var(--accent) }
section { border-top: 1px solid var(--border); padding-top: .5rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 }
th, td { text-align: left; vertical-align: top; padding: .3rem .5rem; border-bottom: 1px solid var(--border) }
th { background: var(--soft) }
.path { overflow-wrap: anywhere }
.wide { overflow-x: auto }`

/** The only style this page may use, by its hash; no script at all. */
export const DOCS_CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export function renderDocs(document: Document): string {
  const { info, tags, components } = document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const sections = tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return `<h2 id="${escape(name)}">${escape(name)}</h2>${own.map(renderOperation).join('')}`
  })
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<section id="schema-${escape(name)}"><h3>${escape(name)}</h3>${renderFields(schema)}</section>`,
  )
  const index = operations.map(
    ({ path, method, operation }) =>
      `<tr><td class="path"><a href="#${anchor(method, path)}">${method} ${escape(path)}</a></td><td>${escape(operation.summary)}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(info.title)} API ${escape(info.version)}</title><style>${STYLE}</style></head><body>
<h1>${escape(info.title)} API ${escape(info.version)}</h1><p>${escape(info.description)} Machine-readable: <a href="/openapi.json">openapi.json</a>.</p>
<div class="wide"><table><thead><tr><th>Call</th><th>What it does</th></tr></thead><tbody>${index.join('')}</tbody></table></div>
${sections.join('')}<h2 id="schemas">Schemas</h2>${schemas.join('')}</body></html>`
}

function renderOperation({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const rows = operation.parameters.map((parameter) =>
    renderRow(parameter.name, parameter.schema, parameter.required, parameter.in),
  )
  const body = operation.requestBody && schemaOf(operation.requestBody)
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => `<h4>Answer ${status}</h4>${renderSchema(schemaOf(response))}`)
  return `<section id="${anchor(method, path)}"><h3 class="path">${method} ${escape(path)}</h3><p>${escape(operation.summary)}. ${escape(operation.description ?? '')}</p>
${rows.length === 0 ? '' : table(rows)}${body === undefined ? '' : `<h4>Body</h4>${renderSchema(body)}`}${answers.join('')}</section>`
}

function schemaOf(content: Content): Schema | undefined {
  return content.content?.['application/json']?.schema
}

function renderSchema(schema: Schema | undefined): string {
  if (schema === undefined) return '<p>No body.</p>'
  if (schema.$ref !== undefined || schema.type === 'array') return `<p>${typeName(schema)}</p>`
  return renderFields(schema)
}

function renderFields(schema: Schema): string {
  if (schema.oneOf !== undefined) return schema.oneOf.map(renderFields).join('<p>or</p>')
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) =>
    renderRow(name, field, schema.required?.includes(name) ?? false),
  )
  return rows.length === 0 ? '<p>An empty object.</p>' : table(rows)
}

function table(rows: string[]): string {
  return `<div class="wide"><table><thead><tr><th>Field</th><th>Type</th><th>Notes</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function renderRow(name: string, schema: Schema, required: boolean, place = ''): string {
  const notes = [place, required ? 'required' : 'optional', escape(schema.description ?? '')].filter(
    (note) => note !== '',
  )
  return `<tr><td><code>${escape(name)}</code></td><td>${typeName(schema)}</td><td>${notes.join(', ')}</td></tr>`
}

function typeName(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = escape(schema.$ref.split('/').at(-1) ?? '')
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (schema.items !== undefined) return `list of ${typeName(schema.items)}`
  if (schema.const !== undefined) return `<code>${escape(schema.const)}</code>`
  if (schema.enum !== undefined) return schema.enum.map((value) => `<code>${escape(value)}</code>`).join(', ')
  return escape([schema.type ?? 'any'].flat().join(' or ') + (schema.format === undefined ? '' : ` (${schema.format})`))
}

function anchor(method: string, path: string): string {
  return `${method}${path}`.replaceAll(/[^\w]+/g, '-').toLowerCase()
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
