// The recorded examples of a call, as pairs of what was sent and what was answered. Every pair becomes one set of code samples.
import { type Call, firstExample, JSON_TYPE, successesOf } from './document.ts'

export interface Case {
  /** What the example shows, such as `topup` or `outcome not known`. */
  readonly name: string
  /** The values of the parameters, by name. */
  readonly parameters: Readonly<Record<string, string | number>>
  /** Undefined when the call takes no body. */
  readonly body: unknown
  /** Undefined when the call answers without a body, or nothing was recorded. */
  readonly answer: { readonly status: string; readonly body: unknown } | undefined
}

export function casesOf({ operation }: Call): Case[] {
  const media = operation.requestBody?.content[JSON_TYPE]
  const bodies = Object.keys(media?.examples ?? {})
  const cases = successesOf(operation).flatMap(([status, { content }]) =>
    Object.entries(content?.[JSON_TYPE]?.examples ?? {}).map(([name, { value }]) => ({
      name,
      parameters: parametersOf(operation, Math.max(bodies.indexOf(name), 0)),
      body: media?.examples?.[name]?.value ?? firstExample(media),
      answer: { status, body: value },
    })),
  )
  if (cases.length > 0) return cases
  return [{ name: 'example', parameters: parametersOf(operation, 0), body: firstExample(media), answer: undefined }]
}

/** Another body needs another idempotency key, so every body after the first gets a key of its own. */
function parametersOf({ parameters }: Call['operation'], index: number): Record<string, string | number> {
  return Object.fromEntries(
    parameters.flatMap(({ name, example }) => {
      if (example === undefined) return []
      return [[name, name === 'Idempotency-Key' && index > 0 ? `${example}-${index + 1}` : example]]
    }),
  )
}

/** The path with its parameters, and the query string. A parameter without a recorded value keeps its name in braces. */
export function urlOf({ path, operation }: Call, { parameters }: Case): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole))
  const query = operation.parameters
    .filter(({ name, in: place }) => place === 'query' && parameters[name] !== undefined)
    .map(({ name }) => `${name}=${encodeURIComponent(String(parameters[name])).replaceAll('%2F', '/')}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}
