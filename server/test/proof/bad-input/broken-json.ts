// Ways to break the text of a JSON body.
import type { Choice } from './random.ts'

export interface Break {
  readonly name: string
  /** Whether the result is never a valid body, whatever the body was. */
  readonly isAlwaysWrong: boolean
  change(text: string, choice: Choice): string | Buffer
}

const DEPTH = 30_000
const BODY_BYTES_MAX = 64 * 1024
const wrong = (name: string, change: Break['change']): Break => ({ name, isAlwaysWrong: true, change })
const maybe = (name: string, change: Break['change']): Break => ({ name, isAlwaysWrong: false, change })
/** Inserts text after the opening brace, as the first field. */
const withField = (text: string, field: string) =>
  text.startsWith('{') ? `{${field}${text === '{}' ? '' : ','}${text.slice(1)}` : `{${field}}`
const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)))

export const BREAKS: readonly Break[] = [
  wrong('cut off', (text, choice) => text.slice(0, 1 + choice.below(Math.max(1, text.length - 1)))),
  wrong('a comma too many', (text) => `${text.slice(0, -1)},}`),
  wrong('two documents', (text) => `${text}${text}`),
  wrong('single quotes', (text) => `{'a':1}${text}`),
  wrong('a comment', (text) => `/* x */${text}`),
  wrong('an unquoted key', () => '{name:"x"}'),
  wrong('NaN', (text) => withField(text, '"x":NaN')),
  wrong('Infinity', (text) => withField(text, '"x":-Infinity')),
  wrong('a leading zero', (text) => withField(text, '"x":01')),
  wrong('a hexadecimal number', (text) => withField(text, '"x":0x1')),
  wrong('undefined', () => 'undefined'),
  wrong('a byte order mark', (text) => `\ufeff${text}`),
  wrong('an unescaped line break', (text) => withField(text, '"x":"a\nb"')),
  wrong('an unescaped NUL', (text) => withField(text, '"x":"\u0000"')),
  wrong('a wrong escape', (text) => withField(text, '"x":"\\x41"')),
  wrong('half an escape', (text) => withField(text, '"x":"\\u12"')),
  wrong('a key twice', (text) => withField(text, '"x":1,"x":1')),
  wrong('a key twice, spelled differently', (text) => withField(text, '"x":1,"\\u0078":1')),
  wrong('a key twice, deep', (text) => withField(text, '"x":[{"y":{"z":1,"z":2}}]')),
  wrong('__proto__', (text) => withField(text, '"__proto__":{"isAdmin":true}')),
  wrong('an escaped NUL', (text) => withField(text, '"x":"\\u0000"')),
  wrong('half of a surrogate pair', (text) => withField(text, '"x":"\\ud800"')),
  wrong('deep arrays', () => '['.repeat(DEPTH) + ']'.repeat(DEPTH)),
  wrong('deep arrays that do not end', () => '['.repeat(BODY_BYTES_MAX)),
  wrong('deep objects', (text) => withField(text, `"x":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`)),
  wrong('a huge number', (text) => withField(text, `"x":${'9'.repeat(50_000)}`)),
  wrong('a huge exponent', (text) => withField(text, '"x":1e999999999')),
  wrong('many unknown fields', (text) =>
    withField(text, Array.from({ length: 4000 }, (_, at) => `"f${at}":1`).join(',')),
  ),
  wrong('many empty fields', (text) => withField(text, Array.from({ length: 4000 }, () => '"":1').join(','))),
  wrong('64 KB and one byte', (text) => text + ' '.repeat(BODY_BYTES_MAX + 1 - Buffer.byteLength(text))),
  wrong('a megabyte', (text) => text + ' '.repeat(1024 * 1024)),
  wrong('a list', (text) => `[${text}]`),
  wrong('a string', (text) => JSON.stringify(text)),
  wrong('a number', () => '7'),
  wrong('null', () => 'null'),
  wrong('UTF-16', (text) => Buffer.from(text, 'utf16le')),
  wrong('UTF-16 with a byte order mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
  wrong('Latin-1', (text) => bytes(withField(text, '"x":"').slice(0, -1), [0xe9], '"}')),
  wrong('an overlong sequence', (text) =>
    bytes(text.slice(0, -1), text === '{}' ? '' : ',', '"x":"', [0xc0, 0x80], '"}'),
  ),
  wrong('a surrogate in UTF-8', (text) =>
    bytes(text.slice(0, -1), text === '{}' ? '' : ',', '"x":"', [0xed, 0xa0, 0x80], '"}'),
  ),
  wrong('gzip', () => Buffer.from('1f8b0800000000000003abae050043bfa6a302000000', 'hex')),
  wrong('a cut-off character', (text) => {
    const at = text.lastIndexOf('"')
    return at === -1 ? bytes([0xf0, 0x9f, 0x98]) : bytes(text.slice(0, at), [0xf0, 0x9f, 0x98], text.slice(at))
  }),
  maybe('nothing', () => ''),
  maybe('white space', () => ' \r\n\t'),
  maybe('white space around', (text) => `\r\n\t ${text} \n`),
  maybe('exactly 64 KB', (text) => text + ' '.repeat(BODY_BYTES_MAX - Buffer.byteLength(text))),
]

export function breakText(way: Break, choice: Choice, body: Buffer): Buffer {
  const changed = way.change(body.toString(), choice)
  return typeof changed === 'string' ? Buffer.from(changed) : changed
}
