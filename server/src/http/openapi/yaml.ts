// Writes a document as YAML 1.2 in block style. It must only be given what JSON can express.

/** Strings that YAML reads as themselves without quotes. Everything else is quoted, which is always right. */
const PLAIN = /^[A-Za-z][\w ./-]*$/
/** Words that some version of YAML reads as a boolean or as null. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i
/** What a literal block can hold: printable lines that begin with a visible character, or are empty. */
const LITERAL = /^\S[^\p{Cc}\u2028\u2029]*(?:\n(?:[^\s\p{Cc}\u2028\u2029][^\p{Cc}\u2028\u2029]*)?)*\S$/u

export function toYaml(value: unknown): string {
  return `${writeBlock(value, '')}\n`
}

/** Returns the lines of a value that begin a line of their own. */
function writeBlock(value: unknown, indent: string): string {
  if (Array.isArray(value) && value.length > 0)
    return value.map((item) => `${indent}- ${writeBlock(item, `${indent}  `).trimStart()}`).join('\n')
  const entries = isMap(value) ? Object.entries(value).filter(([, each]) => each !== undefined) : []
  if (entries.length > 0)
    return entries.map(([name, each]) => `${indent}${writeString(name)}:${writeAfterKey(each, indent)}`).join('\n')
  return indent + writeScalar(value, indent)
}

function writeAfterKey(value: unknown, indent: string): string {
  const isNested = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  return isNested ? `\n${writeBlock(value, `${indent}  `)}` : ` ${writeScalar(value, indent)}`
}

function writeScalar(value: unknown, indent: string): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (!value.includes('\n') || !LITERAL.test(value)) return writeString(value)
  const lines = value.split('\n').map((line) => (line === '' ? '' : `${indent}  ${line}`))
  return `|-\n${lines.join('\n')}`
}

/** JSON's quotes are YAML's double quotes; only line separators need an escape besides. */
function writeString(text: string): string {
  if (PLAIN.test(text) && !RESERVED.test(text) && !text.endsWith(' ')) return text
  return JSON.stringify(text).replaceAll(/[\u007F-\u009F\u2028\u2029\uFEFF]/g, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
