// The code samples of a call: the same request with curl, the SDK, Python's standard library and PowerShell.
import { type Case, urlOf } from './cases.ts'
import { type Call, JSON_TYPE, referenceOf, successesOf } from './document.ts'
import { SDK_METHODS } from './generated/sdk-methods.ts'
import { toPython, toTypeScript } from './literals.ts'
import { toPowerShell } from './powershell.ts'

export interface Sample {
  readonly id: 'curl' | 'sdk' | 'python' | 'powershell'
  readonly label: string
  readonly language: string
  readonly code: string
}

/** Where the samples find the secret: in the variable that the SDK reads, too. */
const SECRET_VARIABLES = { apiKey: 'CARDSTOCK_API_KEY', operatorToken: 'CARDSTOCK_OPERATOR_TOKEN' } as const
type Secret = keyof typeof SECRET_VARIABLES

export function samplesOf(call: Call, example: Case, baseUrl: string): Sample[] {
  const curl = { id: 'curl', label: 'curl', language: 'bash', code: toCurl(call, example, baseUrl) } as const
  // Programs use keys; for a person's session one language shows everything that the request needs.
  if (isForPeople(call)) return [curl]
  const sdk = toSdk(call, example, baseUrl)
  return [
    curl,
    ...(sdk === undefined ? [] : [{ id: 'sdk', label: 'SDK', language: 'typescript', code: sdk } as const]),
    { id: 'python', label: 'Python', language: 'python', code: toUrllib(call, example, baseUrl) },
    {
      id: 'powershell',
      label: 'PowerShell',
      language: 'powershell',
      code: toPowerShell(call, example, baseUrl, variableOf(call)),
    },
  ]
}

function secretOf({ operation }: Call): Secret | undefined {
  return operation.security.flatMap(Object.keys).find((name): name is Secret => name in SECRET_VARIABLES)
}

function variableOf(call: Call): string | undefined {
  const secret = secretOf(call)
  return secret === undefined ? undefined : SECRET_VARIABLES[secret]
}

/** Reports whether the console makes this call for a person: with a session, or to begin one. */
function isForPeople({ path, operation }: Call): boolean {
  const schemes = operation.security.flatMap(Object.keys)
  return path.startsWith('/console/') || (schemes.length > 0 && schemes.every((name) => name === 'session'))
}

/** The cookie's file, and what a change with a session needs so that no other web site can cause it. */
function sessionLines({ method, path, operation }: Call, baseUrl: string): string[] {
  return [
    operation.security.length === 0 ? '-c session.cookies' : '-b session.cookies',
    ...(method === 'GET' ? [] : ['-H "X-CSRF: 1"', `-H "Origin: ${baseUrl}"`]),
    ...(path.startsWith('/api/') ? ['-H "Cardstock-Environment: sandbox"'] : []),
  ]
}

const hasJson = (call: Call) =>
  successesOf(call.operation).some(([, { content }]) => content?.[JSON_TYPE] !== undefined)

function toCurl(call: Call, example: Case, baseUrl: string): string {
  const variable = variableOf(call)
  const key = example.parameters['Idempotency-Key']
  const url = `${baseUrl}${urlOf(call, example)}`
  const isDefault = call.method === 'GET' || (call.method === 'POST' && example.body !== undefined)
  const lines = [
    `curl ${isDefault ? '' : `-X ${call.method} `}${/[?&{]/.test(url) ? `"${url}"` : url}`,
    ...(isForPeople(call) ? sessionLines(call, baseUrl) : []),
    ...(variable === undefined ? [] : [`-H "Authorization: Bearer $${variable}"`]),
    ...(key === undefined ? [] : [`-H "Idempotency-Key: ${key}"`]),
    ...(example.body === undefined ? [] : [`-H "Content-Type: ${JSON_TYPE}"`, `-d '${toShellJson(example.body)}'`]),
  ]
  return lines.join(' \\\n  ')
}

/** An apostrophe ends a quoted word of the shell, so it is written as JSON's escape. */
function toShellJson(body: unknown): string {
  const text = JSON.stringify(body, null, 2).replaceAll("'", String.raw`\u0027`)
  const line = JSON.stringify(body).replaceAll("'", String.raw`\u0027`)
  return line.length <= 50 ? line : text.replaceAll('\n', '\n  ')
}

function toUrllib(call: Call, example: Case, baseUrl: string): string {
  const variable = variableOf(call)
  const key = example.parameters['Idempotency-Key']
  const headers = [
    ...(variable === undefined ? [] : [`"Authorization": "Bearer " + os.environ["${variable}"],`]),
    ...(key === undefined ? [] : [`"Idempotency-Key": "${key}",`]),
    ...(example.body === undefined ? [] : [`"Content-Type": "${JSON_TYPE}",`]),
  ]
  const isJson = hasJson(call)
  const modules = [...(isJson || example.body !== undefined ? ['json'] : []), ...(variable === undefined ? [] : ['os'])]
  const lines = [
    ...modules.map((name) => `import ${name}`),
    'from urllib.request import Request, urlopen',
    '',
    ...(example.body === undefined ? [] : [`body = ${toPython(example.body)}`]),
    'request = Request(',
    `    "${baseUrl}${urlOf(call, example)}",`,
    ...(call.method === 'GET' ? [] : [`    method="${call.method}",`]),
    ...(headers.length === 0 ? [] : ['    headers={', ...headers.map((line) => `        ${line}`), '    },']),
    ...(example.body === undefined ? [] : ['    data=json.dumps(body).encode(),']),
    ')',
    'with urlopen(request) as response:',
    isJson ? '    print(json.load(response))' : '    print(response.status)',
  ]
  return lines.join('\n')
}

/** Returns undefined for calls that the SDK has no method for: those that people and monitors make. */
function toSdk(call: Call, example: Case, baseUrl: string): string | undefined {
  const method = SDK_METHODS[`${call.method} ${call.path}`]
  if (method === undefined) return undefined
  const isOperator = secretOf(call) === 'operatorToken'
  const [client, name] = isOperator ? ['CardstockAdmin', 'admin'] : ['Cardstock', 'cardstock']
  const invocation = `await ${name}.${method}(${writeArguments(call, example)})`
  const result = resultOf(call)
  return [
    `import { ${client} } from '@cardstock/sdk'`,
    '',
    `// The ${isOperator ? 'token' : 'key'} is read from ${variableOf(call)}.`,
    `const ${name} = new ${client}({ baseUrl: '${baseUrl}' })`,
    ...(result === undefined ? [invocation] : [`const ${result} = ${invocation}`, `console.log(${result})`]),
  ].join('\n')
}

/** Path parameters come first, then the body or the query, then the options. */
function writeArguments({ operation }: Call, { parameters, body }: Case): string {
  const named = (place: string) =>
    operation.parameters.filter(({ name, in: at }) => at === place && parameters[name] !== undefined)
  const query = Object.fromEntries(named('query').map(({ name }) => [name, parameters[name]]))
  const key = parameters['Idempotency-Key']
  const values = [
    ...operation.parameters.filter(({ in: place }) => place === 'path').map(({ name }) => parameters[name] ?? name),
    ...(body === undefined ? [] : [body]),
    ...(Object.keys(query).length === 0 ? [] : [query]),
    ...(key === undefined ? [] : [{ idempotencyKey: key }]),
  ]
  const line = values.map((value) => toTypeScript(value)).join(', ')
  const isOneObject = values.filter((value) => typeof value === 'object').length === 1
  if (isOneObject || (line.length <= 60 && !line.includes('\n'))) return line
  return `\n${values.map((value) => `  ${toTypeScript(value, 1)},\n`).join('')}`
}

/** The name of the variable for the result; undefined when the method returns nothing. */
function resultOf({ operation }: Call): string | undefined {
  const schemas = successesOf(operation).map(([, { content }]) => content?.[JSON_TYPE]?.schema)
  const component = schemas[0] === undefined ? undefined : referenceOf(schemas[0])
  if (schemas[0] === undefined || component === 'Empty') return undefined
  if (component === undefined) return 'result'
  return /(Page|List)$/.test(component) ? 'page' : component.charAt(0).toLowerCase() + component.slice(1)
}
