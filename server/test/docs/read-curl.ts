// Reads a curl command as a shell and curl would, as far as the samples need it: quotes, variables, -X, -H and -d.

export interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export function readCurl(command: string, variables: Readonly<Record<string, string | undefined>>): CurlRequest {
  const [program, ...words] = splitWords(command, variables)
  if (program !== 'curl') throw new Error(`Not a curl command: ${command}`)
  let [url, method, body]: (string | undefined)[] = []
  const headers: Record<string, string> = {}
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const value = () => words.shift() ?? ''
    if (word === '-X') method = value()
    else if (word === '-d') body = value()
    else if (word === '-H') {
      const [, name = '', text = ''] = /^([^:]+): (.*)$/.exec(value()) ?? []
      headers[name.toLowerCase()] = text
    } else if (word.startsWith('-')) throw new Error(`Unknown option: ${word}`)
    else url = word
  }
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), url: url ?? '', headers, body }
}

/** Text in single quotes is taken as it is; in double quotes, variables are replaced. */
function splitWords(command: string, variables: Readonly<Record<string, string | undefined>>): string[] {
  const line = command.replaceAll('\\\n', ' ')
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map(
    ([, single, double, plain]) =>
      single ?? double?.replaceAll(/\$(\w+)/g, (_, name: string) => variables[name] ?? '') ?? plain ?? '',
  )
}
