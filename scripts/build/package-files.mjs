// Makes the files of a package small: only what its entries reach, indented with tabs, with source maps that have lines but
// no columns, and with CommonJS modules that differ from the ES modules only in imports and exports.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

/** Returns the entry and the files that it imports, directly or through others. */
function listReachable(folder, entry, extension) {
  const reached = new Set()
  const visit = (file) => {
    if (reached.has(file)) return
    reached.add(file)
    const text = readFileSync(join(folder, file), 'utf8')
    // The compiler leaves the extension of the sources in the types.
    for (const [, path] of text.matchAll(/from ['"](\.[^'"]*)\.[jt]s['"]/g))
      visit(normalize(join(dirname(file), path + extension)))
  }
  visit(entry + extension)
  return [...reached]
}

/** Removes the modules that no entry reaches, and their maps. */
export function removeUnreachable(folder, entries) {
  const reached = new Set(entries.flatMap((entry) => listReachable(folder, entry, '.js')))
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js') || reached.has(file)) continue
    rmSync(join(folder, file))
    rmSync(join(folder, `${file}.map`), { force: true })
  }
}

/**
 * Returns the declarations of all files that the entry reaches, in which only what the entry exports is exported. Another entry
 * than the main one imports what the main one declares.
 */
export function joinTypes(folder, entry, main = entry) {
  const inMain = new Set(entry === main ? [] : listReachable(folder, main, '.d.ts'))
  const files = listReachable(folder, entry, '.d.ts').filter((file) => !inMain.has(file))
  const texts = files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
  const [{ text: index }] = texts
  const names = new Set(
    [...index.matchAll(/^export (?:type )?\{(.*)\} from/gm)].flatMap(([, list]) =>
      [...list.matchAll(/\w+(?=,|$| *$)/g)].map(([name]) => name),
    ),
  )
  const whole = new Set([...index.matchAll(/^export (?:type )?\* from '\.\/(.*)\.ts';$/gm)].map(([, path]) => path))
  const declared = new Set()
  const joined = texts.slice(1).map(({ file, text }) =>
    text
      .replaceAll(/^(?:import .*|export \{\};)\n?/gm, '')
      .replaceAll(
        /^(?:export )?((?:declare )?(?:class|const|function|interface|type) (\w+))/gm,
        (_, declaration, name) => {
          if (declared.has(name)) throw new Error(`Two files of the package declare ${name}.`)
          declared.add(name)
          return names.has(name) || whole.has(file.replace('.d.ts', '')) ? `export ${declaration}` : declaration
        },
      ),
  )
  const lost = [...names].filter((name) => !declared.has(name))
  if (lost.length > 0) throw new Error(`No file of the package declares ${lost.join(', ')}.`)
  const imported = new Set(texts.flatMap(({ file, text }) => namesFrom(inMain, file, text)))
  const head = imported.size === 0 ? '' : `import type { ${[...imported].join(', ')} } from './${main}.js';\n`
  return `${head}${joined.join('')}export {};\n`
}

/** Returns the names that a file of types imports from one of the given files. */
function namesFrom(given, file, text) {
  return [...text.matchAll(/^import type \{ (.*) \} from '(\..*)\.ts';$/gm)]
    .filter(([, , path]) => given.has(normalize(join(dirname(file), `${path}.d.ts`))))
    .flatMap(([, list]) => list.split(', '))
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

/** Writes a CommonJS twin of every ES module. The lines stay where they are, so the twins share the source map. */
export function writeCommonJs(esm, cjs) {
  for (const file of readdirSync(esm, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js')) continue
    const maps = relative(dirname(join(cjs, file)), dirname(join(esm, file)))
    const text = readFileSync(join(esm, file), 'utf8').replace('sourceMappingURL=', `$&${maps}/`)
    mkdirSync(dirname(join(cjs, file)), { recursive: true })
    writeFileSync(join(cjs, file), toCommonJs(file, text))
  }
}

/**
 * Turns an ES module that the compiler wrote into a CommonJS one. What it imports is taken when it is loaded, which is
 * right because no two modules import each other, and no export changes.
 */
function toCommonJs(file, text) {
  const names = []
  const code = text
    .replaceAll(/^(import|export) \{(.*)\} from ('.*');$/gm, (_, keyword, list, path) => {
      if (keyword === 'export') names.push(...list.split(',').map((name) => name.trim()))
      return `const {${list.replaceAll(' as ', ': ')}} = require(${path});`
    })
    .replaceAll(/^export \* from ('.*');$/gm, 'Object.assign(exports, require($1));')
    .replaceAll(/^export (async function|function|class|const) (\w+)/gm, (_, keyword, name) => {
      names.push(name)
      return `${keyword} ${name}`
    })
  if (/^(?:import|export)\b/m.test(code)) throw new Error(`${file} has an import or export that is not known here.`)
  const [map = ''] = /^\/\/# sourceMappingURL=.*$/m.exec(code) ?? []
  const exported = names.filter((name) => name !== '').join(', ')
  return `"use strict";exports.__esModule = true;${code.replace(map, '')}Object.assign(exports, { ${exported} });\n${map}`
}

/**
 * Keeps the first position of each line. Columns would be wrong in the CommonJS twins, and a stack trace is read by its lines. The sources are in
 * the maps, because the package has no other copy that a debugger could show. The entries only
 * re-export and the values are constants, so that no stack trace contains them, and they need no map.
 */
export function simplifyMaps(folder, entries) {
  for (const file of [...entries.map((entry) => `${entry}.js`), 'generated/values.js']) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, ''))
    rmSync(`${path}.map`)
  }
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js.map'))) {
    const { version, sources, sourcesContent, mappings } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const map = { version, sources, sourcesContent, mappings: keepLines(mappings) }
    writeFileSync(join(folder, file), JSON.stringify(map))
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
