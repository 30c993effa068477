// The code sample of a call for PowerShell, where neither the quotes nor the line ends of a curl command mean the same.
import { type Case, urlOf } from './cases.ts'
import { type Call, JSON_TYPE } from './document.ts'

/** `variable` has the secret in the environment. */
export function toPowerShell(call: Call, example: Case, baseUrl: string, variable: string | undefined): string {
  const key = example.parameters['Idempotency-Key']
  const headers = [
    ...(variable === undefined ? [] : [`Authorization = "Bearer $env:${variable}"`]),
    ...(key === undefined ? [] : [`'Idempotency-Key' = ${quote(String(key))}`]),
  ]
  const lines = [
    `Method = '${call.method}'`,
    `Uri = ${quote(`${baseUrl}${urlOf(call, example)}`)}`,
    ...(headers.length === 0 ? [] : [`Headers = @{ ${headers.join('; ')} }`]),
    ...(example.body === undefined ? [] : bodyLines(example.body)),
  ].map((line) => `  ${line.replaceAll('\n', '\n  ')}`)
  return ['$request = @{', ...lines, '}', 'Invoke-RestMethod @request'].join('\n')
}

/** Without the character set, older versions send a text as Latin 1. */
function bodyLines(body: unknown): string[] {
  return [`ContentType = '${JSON_TYPE}; charset=utf-8'`, `Body = ${quote(JSON.stringify(body, null, 2))}`]
}

/** In single quotes nothing is replaced, and a text may have several lines. An apostrophe is written twice. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
