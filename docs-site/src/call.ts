// One call of the reference: prose and fields on the left, code samples and answers on the right.
import { type Case, casesOf } from './cases.ts'
import { type Call, type Document, JSON_TYPE, referenceOf, refusalsOf, type Response, successesOf } from './document.ts'
import { type FieldContext, renderParameters, renderSchema } from './fields.ts'
import { codeBlock } from './highlight.ts'
import { escape, renderMethod } from './html.ts'
import { renderInline, renderText } from './markdown.ts'
import { samplesOf } from './samples.ts'
import { tryItData } from './try-it.ts'

export interface CallContext extends FieldContext {
  readonly baseUrl: string
  /** Whether code samples are shown. The issuer's messages are signed, so a sample could not be sent as it is. */
  readonly hasSamples: boolean
}

export function renderCall(call: Call, context: CallContext): string {
  const { operation, method, path } = call
  const { operationId, summary, description = '' } = operation
  return `<section class="call" id="${operationId}" aria-labelledby="${operationId}-title">
<div class="call-text">
<h2 id="${operationId}-title">${escape(summary)} <a class="anchor" href="#${operationId}" aria-label="Link to ${escape(summary)}">#</a></h2>
<p class="endpoint">${renderMethod(method)} <code>${escape(path)}</code></p>
${renderText(description)}
${renderInputs(call, context)}
${renderAnswers(call, context)}
${renderRefusals(call, context.document)}
</div>
${context.hasSamples ? renderCases(call, context) : ''}
</section>`
}

function renderInputs({ operation }: Call, context: FieldContext): string {
  const { parameters, requestBody } = operation
  const body = requestBody?.content[JSON_TYPE]
  return [
    ...(parameters.length === 0 ? [] : ['<h3>Parameters</h3>', renderParameters(parameters, context)]),
    ...(body === undefined ? [] : ['<h3>Body</h3>', renderSchema(body.schema, context)]),
  ].join('\n')
}

function renderAnswers({ operation }: Call, context: FieldContext): string {
  const answers = successesOf(operation).map(([status, response]) => {
    const types = Object.keys(response.content ?? {}).filter((type) => type !== JSON_TYPE)
    const also = types.length === 0 ? '' : ` As ${types.map((type) => `<code>${escape(type)}</code>`).join(' or ')}.`
    return `<div class="answer"><p><span class="status">${status}</span> ${renderInline(response.description)}${also}</p>
${renderAnswerBody(response, context)}${renderHeaders(response, context.document)}</div>`
  })
  return `<h3>Answer</h3>${answers.join('')}`
}

function renderAnswerBody({ content }: Response, context: FieldContext): string {
  const schema = content?.[JSON_TYPE]?.schema
  if (schema === undefined) return ''
  const component = referenceOf(schema)
  const link = component === undefined ? undefined : context.linkOf(component)
  if (link !== undefined) return `<p>The body is <a href="${link}">${escape(component ?? '')}</a>.</p>`
  return renderSchema(schema, context)
}

function renderHeaders({ headers = {} }: Response, { components }: Document): string {
  const names = Object.keys(headers)
  if (names.length === 0) return ''
  const rows = names.map((name) => {
    const { description = '' } = components.headers?.[name] ?? {}
    return `<li><div class="field-head"><code class="name">${escape(name)}</code></div><div class="field-text">${renderText(description)}</div></li>`
  })
  return `<details class="nested"><summary>Headers of the answer</summary><ul class="fields">${rows.join('')}</ul></details>`
}

/** A shared response has a line for every code of its status: "- `code`: what happened". The call lists those that it can have. */
function renderRefusals({ operation }: Call, document: Document): string {
  const codes = new Set(operation['x-error-codes'])
  const items = refusalsOf(operation, document).flatMap(([status, { description }]) =>
    [...description.matchAll(/^- `(\w+)`: (.*)$/gm)]
      .filter(([, code = '']) => codes.has(code))
      .map(
        ([, code, meaning = '']) =>
          `<li><span class="status refused">${status}</span> <a href="/docs/errors#${code}"><code>${code}</code></a> ${renderInline(meaning)}</li>`,
      ),
  )
  return `<details class="refusals"><summary>Refusals (${items.length})</summary><ul>${items.join('')}</ul></details>`
}

function renderCases(call: Call, context: CallContext): string {
  const cases = casesOf(call)
  const attempt = tryItData(call)
  const button =
    attempt === undefined
      ? ''
      : `<button type="button" class="try-button" data-try="${escape(JSON.stringify(attempt))}" hidden>Try it</button>`
  return `<div class="call-code"><div data-cases>${cases.map((example) => renderCase(call, example, cases.length, context)).join('')}</div>${button}</div>`
}

function renderCase(call: Call, example: Case, count: number, { baseUrl }: CallContext): string {
  const samples = samplesOf(call, example, baseUrl).map(
    ({ id, label, language, code }) =>
      `<div class="sample" data-language="${id}"><p class="sample-title">${label}</p>${codeBlock(code, language, `${call.operation.summary}, ${label}`)}</div>`,
  )
  const { answer } = example
  const shown =
    answer === undefined
      ? ''
      : `<div class="sample answer-sample"><p class="sample-title">Answer <span class="status">${answer.status}</span></p>${codeBlock(JSON.stringify(answer.body, null, 2), 'json', `${call.operation.summary}, answer`)}</div>`
  const title = count === 1 ? '' : `<p class="case-title">Example: ${escape(example.name)}</p>`
  return `<div class="case" data-case="${escape(example.name)}">${title}<div class="samples" data-samples>${samples.join('')}</div>${shown}</div>`
}
