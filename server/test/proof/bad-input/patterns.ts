// Finds every regular expression of the sources and of the OpenAPI documents.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const FOLDERS = [
  'server/src',
  'sdk/src',
  'cli/src',
  'private-postgres/src',
  'docs-site/src',
  'docs-site/assets',
  'console/src',
]
const DOCUMENTS = ['openapi.json', 'openapi-admin.json', 'openapi-console.json', 'issuer-openapi.json']

export interface Found {
  readonly source: string
  readonly flags: string
  /** The files that contain it. */
  readonly files: Set<string>
}

export interface Patterns {
  /** By their literal, such as `/^a+$/u`. */
  readonly literals: ReadonlyMap<string, Found>
  /** The files that make regular expressions from text, with the number of places. */
  readonly constructed: ReadonlyMap<string, number>
}

interface Node {
  readonly type?: string
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}

export function findPatterns(): Patterns {
  const literals = new Map<string, Found>()
  const constructed = new Map<string, number>()
  const add = (file: string, source: string, flags: string) => {
    const name = `/${source}/${flags}`
    const found = literals.get(name) ?? { source, flags, files: new Set<string>() }
    found.files.add(file)
    literals.set(name, found)
  }
  for (const path of FOLDERS.flatMap(listSources)) {
    const file = relative(ROOT, path)
    const { program, errors } = parseSync(path, readFileSync(path, 'utf8'))
    if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
    visit(program, (node) => {
      if (node.type === 'Literal' && node.regex !== undefined) add(file, node.regex.pattern, node.regex.flags)
      const isCall = node.type === 'NewExpression' || node.type === 'CallExpression'
      if (isCall && node.callee?.name === 'RegExp') constructed.set(file, (constructed.get(file) ?? 0) + 1)
    })
  }
  for (const file of DOCUMENTS) {
    visit(JSON.parse(readFileSync(join(ROOT, file), 'utf8')), (node) => {
      const { pattern } = node as { pattern?: unknown }
      // The validator compiles patterns of schemas with this flag.
      if (typeof pattern === 'string') add(file, pattern, 'u')
    })
  }
  return { literals, constructed }
}

function listSources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|m?js)$/.test(name) && !name.endsWith('.test.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(ROOT, folder, name))
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  see(value)
  for (const child of Object.values(value)) visit(child, see)
}
