// Checks which folder of the server imports which: only itself or a lower rank. Inside a domain the order is
// routes → use case → rules, states, queries; and queries never import http. The other packages of the server import nothing of
// this repository but themselves, and the commands that call a running server the SDK.
import { dirname, join } from 'node:path/posix'
import { isTest, lineOf, type Problem, type Source } from './source.ts'

/** From the lowest to the highest. `worker` is low because it knows only loops, and the ledger has jobs of its own. */
export const RANKS: readonly (readonly string[])[] = [
  ['lib'],
  ['errors', 'tron', 'config'],
  ['telemetry'],
  ['db'],
  ['worker'],
  ['access'],
  ['http'],
  ['ledger', 'events', 'reviews', 'companies', 'operator-tokens', 'mail'],
  ['issuer', 'catalog', 'cards', 'holders', 'keys', 'webhooks', 'request-log', 'redis', 'docs', 'downloads', 'console'],
  [
    'adapter',
    'operations',
    'card-changes',
    'card-numbers',
    'holder-details',
    'funding',
    'card-account',
    'transactions',
    'reconciliation',
    'programme',
    'audit-log',
  ],
  ['people'],
  ['setup', 'app'],
  ['archive', 'backup', 'export'],
  ['cli'],
  ['main', 'child', 'early'],
]

const DOMAINS = new Set([
  'audit-log',
  'card-account',
  'card-changes',
  'card-numbers',
  'cards',
  'catalog',
  'companies',
  'events',
  'funding',
  'holder-details',
  'holders',
  'keys',
  'mail',
  'operations',
  'operator-tokens',
  'people',
  'reconciliation',
  'request-log',
  'reviews',
  'transactions',
  'webhooks',
])
const SERVER = 'server/src/'

/** The packages that stand alone, with those that they may import. The launcher must not know what is stored, the documentation knows
 * the server only by its OpenAPI documents, and the commands only by its API. */
const ALONE: Readonly<Record<string, readonly string[]>> = {
  'private-postgres/src/': [],
  'docs-site/src/': [],
  'cli/src/': ['@cardstock/sdk', '@cardstock/sdk/bulk', '@cardstock/sdk/mock', '@cardstock/sdk/statements'],
}

/**
 * The adapter is another process than the server, with a database of its own: it uses tools and the issuer protocol,
 * and no domain. Only the reference issuer gives out addresses with the function of the sandbox.
 */
const USED_BY_ADAPTER =
  /^server\/src\/(lib|errors|tron|config|db|worker|http|issuer\/http|issuer\/invoice-terms|issuer\/queries)[/.]/
/** Only a command starts it. */
const USES_ADAPTER = new Set(['adapter', 'cli'])

/** The parts of the server that may use the package of the commands: nothing below them knows of a command line. */
const USES_COMMANDS = new Set(['cli', 'main', 'setup'])

export function findImportProblems(source: Source): Problem[] {
  const own = Object.keys(ALONE).find((folder) => source.path.startsWith(folder))
  if (own !== undefined) return findForeignImports(source, own)
  if (!source.path.startsWith(SERVER) || isTest(source.path)) return []
  const files = importsOf(source).flatMap(({ target, typeOnly, line }) => {
    const message =
      findRankProblem(source.path, target) ??
      findAdapterProblem(source.path, target) ??
      findDomainProblem(source.path, target, typeOnly)
    return message === undefined ? [] : [{ path: source.path, line, message }]
  })
  return [...files, ...findCommandImports(source)]
}

function findCommandImports(source: Source): Problem[] {
  const unit = unitOf(source.path)
  if (USES_COMMANDS.has(unit)) return []
  return packagesOf(source)
    .filter(({ target }) => /^@cardstock\/cli\b/.test(target))
    .map(({ target, line }) => ({ path: source.path, line, message: `${unit} may not import ${target}` }))
}

function findForeignImports(source: Source, own: string): Problem[] {
  const files = importsOf(source).filter(({ target }) => !target.startsWith(own))
  const packages = packagesOf(source).filter(({ target }) => ALONE[own]?.includes(target) !== true)
  return [...files, ...packages].map(({ target, line }) => ({
    path: source.path,
    line,
    message: `imports ${target}, which is outside the package`,
  }))
}

interface Import {
  target: string
  typeOnly: boolean
  line: number
}

/** Imports and re-exports of the packages of this repository. */
function packagesOf({ text }: Source): Pick<Import, 'target' | 'line'>[] {
  return [...text.matchAll(/^(?:import|export)\s[^'"]*['"](@cardstock\/[^'"]+)['"]/gm)].map((match) => ({
    target: match[1] ?? '',
    line: lineOf(text, match.index),
  }))
}

/** Relative imports and re-exports, as paths from the root. */
function importsOf({ path, text }: Source): Import[] {
  const found = text.matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^'"]*?\sfrom\s+)?['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]/gm,
  )
  return [...found].map((match) => ({
    target: join(dirname(path), match[2] ?? match[3] ?? ''),
    typeOnly: match[1] !== undefined,
    line: lineOf(text, match.index),
  }))
}

function findRankProblem(from: string, to: string): string | undefined {
  if (!to.startsWith(SERVER)) return `imports ${to}, which is outside the server`
  const [fromUnit, toUnit] = [unitOf(from), unitOf(to)]
  if (fromUnit === toUnit) return undefined
  const [fromRank, toRank] = [rankOf(fromUnit), rankOf(toUnit)]
  if (fromRank === -1) return `${fromUnit} has no rank; add it to RANKS in scripts/tidy/imports.ts`
  if (toRank === -1 || toRank < fromRank) return undefined
  return `${fromUnit} may not import ${toUnit}: imports go only to a lower rank`
}

function findAdapterProblem(from: string, to: string): string | undefined {
  const [fromUnit, toUnit] = [unitOf(from), unitOf(to)]
  if (toUnit === 'adapter' && !USES_ADAPTER.has(fromUnit)) return `${fromUnit} may not import the adapter`
  if (fromUnit !== 'adapter' || toUnit === 'adapter' || USED_BY_ADAPTER.test(to)) return undefined
  return `the adapter may not import ${to}: it knows the server only by the issuer protocol`
}

function unitOf(path: string): string {
  const [first = ''] = path.slice(SERVER.length).split('/')
  return first.replace(/\.ts$/, '')
}

function rankOf(unit: string): number {
  return RANKS.findIndex((units) => units.includes(unit))
}

const PURE = /\/(rules|states|pricing)\.ts$/

function findDomainProblem(from: string, to: string, typeOnly: boolean): string | undefined {
  if (from.endsWith('/queries.ts') && unitOf(to) === 'http') {
    return 'queries know nothing of HTTP: take the type from lib, errors or reviews, or move it there'
  }
  if (typeOnly) return undefined
  if (PURE.test(from) && (to.endsWith('/queries.ts') || to.startsWith(`${SERVER}db/`))) {
    return 'rules and states are pure: they may not import the database'
  }
  if (!DOMAINS.has(unitOf(from)) || unitOf(from) !== unitOf(to)) return undefined
  return levelOf(to) > levelOf(from)
    ? 'inside a domain imports go from routes to use case to rules, states, queries'
    : undefined
}

function levelOf(path: string): number {
  if (path.endsWith('routes.ts')) return 2
  return /\/(queries|rules|states|schema|pricing|catalogue)\.ts$/.test(path) ? 0 : 1
}
