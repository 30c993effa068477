// Reads a sample for PowerShell as far as the samples need it: one hashtable of texts, with another in it, given to Invoke-RestMethod.

export interface PowerShellRequest {
  readonly method: string | undefined
  readonly uri: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly contentType: string | undefined
  readonly body: string | undefined
}

const TEXT = /'(?:[^']|'')*'|"[^"'`]*"/.source
const ENTRY = new RegExp(`\\s*(?:'([\\w-]+)'|(\\w+)) = (${TEXT})`, 'y')

export function readPowerShell(code: string): PowerShellRequest {
  const [, table] = /^\$request = @\{\n([^]*)\n\}\nInvoke-RestMethod @request$/.exec(code) ?? []
  if (table === undefined) throw new Error(`Not a request: ${code}`)
  const inner = /\n {2}Headers = @\{([^\n]*) \}(?=\n|$)/.exec(table)
  const outer = readEntries(table.replace(inner?.[0] ?? '', ''), '\n')
  const { Method: method, Uri: uri, ContentType: contentType, Body: body, ...others } = outer
  if (Object.keys(others).length > 0) throw new Error(`Unknown parameters: ${Object.keys(others).join(', ')}`)
  return { method, uri, contentType, body, headers: readEntries(inner?.[1] ?? '', ';') }
}

/** A text in single quotes is taken as it is, but for an apostrophe, which stands there twice. */
function readEntries(text: string, separator: string): Partial<Record<string, string>> & Record<string, string> {
  const entries: Record<string, string> = {}
  ENTRY.lastIndex = 0
  while (ENTRY.lastIndex < text.length) {
    const at = ENTRY.lastIndex
    const [, quoted, plain, value = ''] = ENTRY.exec(text) ?? []
    const name = quoted ?? plain
    if (name === undefined || (ENTRY.lastIndex < text.length && text[ENTRY.lastIndex] !== separator))
      throw new Error(`Not an entry: ${text.slice(at)}`)
    entries[name] = value.slice(1, -1).replaceAll("''", "'")
    if (text[ENTRY.lastIndex] === separator) ENTRY.lastIndex += 1
  }
  return entries
}
