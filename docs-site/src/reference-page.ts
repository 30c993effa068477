// The pages of the reference: a resource with its calls and objects, the types of events, and the introduction of a document.
import { type CallContext, renderCall } from './call.ts'
import { type Document, firstExample, JSON_TYPE, listEvents, referenceOf, resolve, type Schema } from './document.ts'
import { renderSchema } from './fields.ts'
import { codeBlock } from './highlight.ts'
import { escape, renderMethod } from './html.ts'
import { renderInline, renderText } from './markdown.ts'
import type { ObjectSection, Resource, Section, SectionName } from './resources.ts'

const contextOf = ({ name, document, linkOf }: Section, baseUrl: string): CallContext => ({
  document,
  linkOf,
  baseUrl,
  hasSamples: name !== 'issuer',
})

export function renderResource(resource: Resource, section: Section, baseUrl: string): string {
  const { title, description, calls, objects } = resource
  const context = contextOf(section, baseUrl)
  const rows = calls.map(
    ({ method, path, operation }) =>
      `<li><a href="#${operation.operationId}">${renderMethod(method)} <code>${escape(path)}</code></a><span>${escape(operation.summary)}</span></li>`,
  )
  return `<header class="lead"><h1>${escape(title)}</h1><p>${renderInline(description)}</p>
<ul class="call-list">${rows.join('')}</ul></header>
${calls.map((call) => renderCall(call, context)).join('\n')}
${objects.map((object) => renderObject(object, context)).join('\n')}`
}

function renderObject({ component, example }: ObjectSection, context: CallContext): string {
  const { description = '' } = context.document.components.schemas[component] ?? {}
  const sample =
    example === undefined
      ? ''
      : `<div class="call-code"><div class="sample answer-sample"><p class="sample-title">${escape(component)}</p>${codeBlock(JSON.stringify(example, null, 2), 'json', `Example of ${component}`)}</div></div>`
  return `<section class="call object" id="${component}" aria-labelledby="${component}-title"><div class="call-text">
<h2 id="${component}-title"><code>${escape(component)}</code> object <a class="anchor" href="#${component}" aria-label="Link to ${escape(component)}">#</a></h2>
${renderText(description)}
${renderSchema({ $ref: `#/components/schemas/${component}` }, context)}</div>${sample}</section>`
}

/** What is sent to webhook endpoints, by type. */
export function renderEventTypes(section: Section, baseUrl: string): string {
  const context = contextOf(section, baseUrl)
  const events = listEvents(section.document)
  const envelope = renderSchema(envelopeOf(context.document), context)
  const sections = events.map(([type, post]) => {
    const media = post.requestBody?.content[JSON_TYPE]
    const example = firstExample(media)
    const data = referenceOf(resolve(media?.schema ?? {}, context.document).properties?.['data'] ?? {}) ?? ''
    const link = context.linkOf(data)
    const shown =
      link === undefined
        ? `<p>What is in <code>data</code>:</p>${renderSchema({ $ref: `#/components/schemas/${data}` }, context)}`
        : `<p><code>data</code> is <a href="${link}">${escape(data)}</a>.</p>`
    const sample =
      example === undefined
        ? ''
        : `<div class="call-code"><div class="sample answer-sample"><p class="sample-title">${escape(type)}</p>${codeBlock(JSON.stringify(example, null, 2), 'json', `Example of ${type}`)}</div></div>`
    return `<section class="call" id="${type}" aria-labelledby="${type}-title"><div class="call-text">
<h2 id="${type}-title"><code>${escape(type)}</code> <a class="anchor" href="#${type}" aria-label="Link to ${escape(type)}">#</a></h2>
${renderText(post.description ?? '')}${shown}</div>${sample}</section>`
  })
  const list = events.map(([type]) => `<li><a href="#${type}"><code>${escape(type)}</code></a></li>`)
  return `<header class="lead"><h1>Event types</h1>
<p>What your <a href="/docs/api/webhooks">webhook endpoints</a> receive. Every request is signed: <a href="/docs/webhooks">verify it</a> before you trust it.</p>
<ul class="event-list">${list.join('')}</ul></header>
<section class="call" id="envelope" aria-labelledby="envelope-title"><div class="call-text"><h2 id="envelope-title">What all events have in common</h2>${envelope}</div></section>
${sections.join('\n')}`
}

/** Returns what all events have in common: the schema of one kind of event, with the types of all and any data. */
function envelopeOf(document: Document): Schema {
  const { oneOf = [], discriminator } = document.components.schemas['Event'] ?? {}
  const { properties = {}, required = [] } = resolve(oneOf[0] ?? {}, document)
  const type = { ...properties['type'], enum: Object.keys(discriminator?.mapping ?? {}) }
  const data = {
    type: 'object',
    description: 'The object as it was at that moment. `type` decides which object it is.',
  }
  return { type: 'object', required, properties: { ...properties, type, data } }
}

export const DOCUMENT_FILES: Readonly<Record<SectionName, string>> = {
  api: '/openapi.json',
  operator: '/openapi-admin.json',
  console: '/openapi-console.json',
  issuer: '/issuer-openapi.json',
}

/** The first page of a document: what it says about itself, and its resources. */
export function renderIntroduction(section: Section): string {
  const { title, document, resources, eventsPath } = section
  const file = DOCUMENT_FILES[section.name]
  const yaml = file.replace(/json$/, 'yaml')
  const cards = resources.map(
    ({ path, title: name, description }) =>
      `<li><a href="${path}"><strong>${escape(name)}</strong><span>${renderInline(description)}</span></a></li>`,
  )
  const events =
    eventsPath === undefined
      ? ''
      : `<li><a href="${eventsPath}"><strong>Event types</strong><span>What webhook endpoints receive.</span></a></li>`
  return `<article class="prose"><h1>${escape(title)}</h1>
${renderText(document.info.description)}
<p class="machine">Version ${escape(document.info.version)}. For programs: <a href="${file}" download>${file.slice(1)}</a> or <a href="${yaml}" download>${yaml.slice(1)}</a>, an OpenAPI 3.1 document.</p>
<h2 id="resources">Resources</h2><ul class="cards">${cards.join('')}${events}</ul></article>`
}
