// Checks which folder of the console imports which: only itself or a lower rank. No page imports another. What is outside the own folder is
// imported from `~/`, the folder console/src.
import { dirname, join } from 'node:path/posix'
import { isTest, lineOf, type Problem, type Source } from './source.ts'

/** From the lowest to the highest. A feature has a rank of its own; all groups of pages have the rank of `pages/`. */
const RANKS: readonly (readonly string[])[] = [
  ['lib', 'paths', 'theme'],
  ['api'],
  ['ui'],
  ['page', 'features/cards', 'features/keys', 'features/operations', 'features/passkeys', 'features/people'],
  ['features/order', 'features/sign-in'],
  ['pages/'],
  ['pages'],
  ['frame'],
  ['router'],
  ['app'],
  ['main'],
]
const CONSOLE = 'console/src/'
const IMPORT =
  /^(?:import|export)\s+(?:type\s)?(?:([^'"]*?)\sfrom\s+)?['"]([.~][^'"]+)['"]|\bimport\(\s*['"]([.~][^'"]+)['"]/gm

export function findConsoleImportProblems({ path, text }: Source): Problem[] {
  if (!path.startsWith(CONSOLE) || isTest(path)) return []
  return [...text.matchAll(IMPORT)].flatMap((match) => {
    const [, names = '', fixed, onDemand] = match
    const message = findProblem(path, fixed ?? onDemand ?? '', names)
    return message === undefined ? [] : [{ path, line: lineOf(text, match.index), message }]
  })
}

function findProblem(from: string, specifier: string, names: string): string | undefined {
  if (specifier.startsWith('..')) return `${specifier} is outside this folder; write its path as ~/…`
  const to = specifier.startsWith('~/') ? CONSOLE + specifier.slice(2) : join(dirname(from), specifier)
  if (isPage(from) && isPage(to)) {
    if (/^\w+(?:,|$)/.test(names) && to.endsWith('.tsx')) return `no page imports another, such as ${specifier}`
    if (!isVisible(from, to)) return `no page imports from another: move what both need out of ${dirname(to)}`
    return undefined
  }
  const [fromUnit, toUnit] = [unitOf(from), unitOf(to)]
  if (fromUnit === toUnit) return undefined
  const [fromRank, toRank] = [rankOf(fromUnit), rankOf(toUnit)]
  const unranked = fromRank === -1 ? fromUnit : toRank === -1 ? toUnit : undefined
  if (unranked !== undefined) return `${unranked} has no rank; add it to RANKS in scripts/tidy/console-imports.ts`
  return toRank < fromRank ? undefined : `${fromUnit} may not import ${toUnit}: imports go only to a lower rank`
}

function isPage(path: string): boolean {
  return path.startsWith(`${CONSOLE}pages/`)
}

/** Reports whether the file is in the folder of the page, in one above it within the same group, or in one inside it. */
function isVisible(from: string, to: string): boolean {
  const [fromFolder, toFolder] = [`${dirname(from)}/`, `${dirname(to)}/`]
  return toFolder !== `${CONSOLE}pages/` && (fromFolder.startsWith(toFolder) || toFolder.startsWith(fromFolder))
}

function unitOf(path: string): string {
  const [first = '', second = '', ...rest] = path.slice(CONSOLE.length).split('/')
  if (first === 'pages' && second !== '') return 'pages/'
  if (first === 'features' && rest.length > 0) return `features/${second}`
  return first.replace(/\.tsx?$/, '')
}

function rankOf(unit: string): number {
  return RANKS.findIndex((units) => units.includes(unit))
}
