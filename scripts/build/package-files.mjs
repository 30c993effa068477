// Makes the files of a package small: only what its entry reaches, indented with tabs, without what the compiler adds for
// older programs, and with source maps that have lines but no columns.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Removes the files with this extension that the entry does not import, directly or through others, and their maps. */
export function removeUnreachable(folder, extension) {
  const reached = new Set()
  const visit = (file) => {
    if (reached.has(file)) return
    reached.add(file)
    const text = readFileSync(join(folder, file), 'utf8')
    for (const [, path] of text.matchAll(/(?:from |require\(|import\()['"](\.[^'"]*)\.js['"]/g))
      visit(normalize(join(dirname(file), path + extension)))
  }
  visit(`index${extension}`)
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith(extension) || reached.has(file)) continue
    rmSync(join(folder, file))
    rmSync(join(folder, `${file}.map`), { force: true })
  }
}

/** The compiler indents by four spaces. No text of the SDK spans lines, so only the layout changes. */
export function indentWithTabs(folder) {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|ts)$/.test(file)) continue
    const text = readFileSync(join(folder, file), 'utf8')
    const indented = text.replaceAll(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
    writeFileSync(join(folder, file), indented)
  }
}

/**
 * Shortens what the compiler writes for CommonJS: nothing is exported before it is defined, because no two modules import each
 * other, re-exported values never change, and no exported function uses `this`. Keeps the number of lines, which the source maps
 * refer to.
 */
export function simplifyCommonJs(folder) {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  )) {
    const text = readFileSync(join(folder, file), 'utf8')
      .replace(/^(?:exports\.\w+ = )+void 0;$/m, '')
      .replaceAll(/^__exportStar\((.*), exports\);$/gm, 'Object.assign(exports, $1);')
      .replaceAll(/^Object\.defineProperty\(exports, "(\w+)", .* return (\w+\.\w+); \} \}\);$/gm, 'exports.$1 = $2;')
      .replace('Object.defineProperty(exports, "__esModule", { value: true });', 'exports.__esModule = true;')
      .replaceAll(/\(0, (\w+_ts_1\.\w+)\)(?=[(`])/g, '$1')
      .replaceAll(/\b(\w+)_ts_1\b/g, '$1_1')
    const helper = /\b__(?!esModule)\w+/.exec(text)
    if (helper !== null) throw new Error(`${file} needs the compiler's helper ${helper[0]}, which is not emitted.`)
    writeFileSync(join(folder, file), text)
  }
}

/**
 * Keeps the first position of each line. Columns are most of a source map, and a stack trace is read by its lines. The entry only
 * re-exports and the values are constants, so that no stack trace contains them, and they need no map.
 */
export function simplifyMaps(folder) {
  for (const file of ['index.js', 'generated/values.js']) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, ''))
    rmSync(`${path}.map`)
  }
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js.map'))) {
    const { version, sources, mappings } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    writeFileSync(join(folder, file), JSON.stringify({ version, sources, mappings: keepLines(mappings) }))
  }
}

function keepLines(mappings) {
  let sourceLine = 0
  let written = 0
  return mappings
    .split(';')
    .map((line) => {
      const segments = line
        .split(',')
        .filter((segment) => segment !== '')
        .map(decode)
      const [first] = segments
      if (first === undefined) return ''
      const start = sourceLine + first[2]
      for (const segment of segments) sourceLine += segment[2] ?? 0
      const kept = encode([0, 0, start - written, 0])
      written = start
      return kept
    })
    .join(';')
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** https://tc39.es/ecma426: numbers as base 64 digits of five bits, the lowest first; the sixth bit says that more follow. */
function decode(text) {
  const values = []
  let value = 0
  let shift = 0
  for (const character of text) {
    const digit = DIGITS.indexOf(character)
    value |= (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    values.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return values
}

function encode(values) {
  return values
    .map((value) => {
      let rest = value < 0 ? (-value << 1) | 1 : value << 1
      let text = ''
      do {
        text += DIGITS[(rest & 31) | (rest > 31 ? 32 : 0)]
        rest >>>= 5
      } while (rest > 0)
      return text
    })
    .join('')
}
