// Writes example requests as one .http file, in the syntax that the REST Client of Visual Studio Code and the HTTP Client of
// JetBrains share.
import { BASE_URL, type ExampleRequest, type RequestCollection } from './model.ts'

const OPENING = `# Every call of a company and of an operator, with the bodies of the reference. Generated from the OpenAPI documents by
# \`npm run generate\`. Open it in an editor that can send HTTP requests: Visual Studio Code with the extension REST Client, or
# an IDE of JetBrains. Set the key and the token first, and replace the ids by those of your own objects.
`

export function writeHttpFile({ requests, ids }: RequestCollection): string {
  const variables = Object.entries({
    baseUrl: BASE_URL,
    apiKey: 'cstk_sandbox_…',
    operatorToken: 'cstk_operator_…',
    ...ids,
  }).map(([name, value]) => `@${name} = ${value}`)
  return [OPENING, `${variables.join('\n')}\n`, ...requests.map(writeRequest)].join('\n')
}

function writeRequest(request: ExampleRequest): string {
  const { id, name, status, method, path, query, tokenVariable, isIdempotent, body } = request
  const required = query.filter(({ isRequired }) => isRequired).map((item) => `${item.name}=${item.value}`)
  const others = query.filter(({ isRequired }) => !isRequired).map((item) => item.name)
  return [
    `### ${name}`,
    `# ${id}, answers ${status}.${others.length === 0 ? '' : ` Optional query parameters: ${others.join(', ')}.`}`,
    `${method} {{baseUrl}}${path}${required.length === 0 ? '' : `?${required.join('&')}`}`,
    ...(tokenVariable === undefined ? [] : [`Authorization: Bearer {{${tokenVariable}}}`]),
    // Both editors know $timestamp, but not the same name for a UUID.
    ...(isIdempotent ? [`Idempotency-Key: ${id}-{{$timestamp}}`] : []),
    ...(body === undefined ? [] : ['Content-Type: application/json', '', body]),
    '',
  ].join('\n')
}
