// `tsx scripts/tidy.ts` checks the rules of this codebase that no compiler or linter knows. It lists the problems and
// exits with 1 if there are any.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PERMISSIONS } from '../server/src/access/permissions.ts'
import { CARD_CHANGE_TRANSITIONS } from '../server/src/card-changes/states.ts'
import { CARD_TRANSITIONS } from '../server/src/cards/states.ts'
import { loadProviderSettings } from '../server/src/adapter/provider-kit/find-providers.ts'
import { SETTINGS } from '../server/src/config/settings.ts'
import { ERRORS } from '../server/src/errors.ts'
import { EVENT_TYPES } from '../server/src/events/catalogue.ts'
import { INVOICE_TRANSITIONS } from '../server/src/funding/states.ts'
import { OPERATION_TRANSITIONS } from '../server/src/operations/states.ts'
import { TRANSACTION_TRANSITIONS } from '../server/src/transactions/states.ts'
import { findBannedCalls } from './tidy/banned.ts'
import { findFunctionProblems, findSchemaProblems, findSourceProblems, usesTables } from './tidy/citus.ts'
import { findImportCircles } from './tidy/circles.ts'
import { checkCodeMap } from './tidy/code-map.ts'
import { findConsoleImportProblems } from './tidy/console-imports.ts'
import { findConsolePaths } from './tidy/console-paths.ts'
import { checkCounts, type Count } from './tidy/counts.ts'
import { checkDependencies } from './tidy/dependencies.ts'
import {
  checkCommands,
  checkErrorsPage,
  checkLinks,
  checkSettingsPage,
  checkStatesPage,
  type StateTable,
} from './tidy/documents.ts'
import { checkGuides, checkPageList } from './tidy/guides.ts'
import { findImportProblems } from './tidy/imports.ts'
import { findMigrationProblems } from './tidy/migrations.ts'
import { checkNamedCode, checkRankLine, type Code } from './tidy/named-code.ts'
import { checkNamedTests } from './tidy/named-tests.ts'
import { findSchemaNames } from './tidy/schema-names.ts'
import { findShapeProblems } from './tidy/shape.ts'
import { isTest, loadSources, type Problem } from './tidy/source.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The folders, beside docs/, that have documents. */
const WORKSPACES = ['sdk', 'cli', 'private-postgres', 'docs-site', 'server', 'console', 'examples']

const ALL_SETTINGS = { ...SETTINGS, ...(await loadProviderSettings()) }

/** Every state table of the server, by its heading in docs/states.md. */
const STATE_TABLES: readonly StateTable[] = [
  { heading: 'Operations', transitions: OPERATION_TRANSITIONS },
  { heading: 'Invoices', transitions: INVOICE_TRANSITIONS },
  { heading: 'Cards', transitions: CARD_TRANSITIONS },
  { heading: 'Card changes', transitions: CARD_CHANGE_TRANSITIONS },
  { heading: 'Transactions', transitions: TRANSACTION_TRANSITIONS },
]

function findProblems(): Problem[] {
  const sources = loadSources(root)
  const code = readCode()
  const page = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') })
  return [
    ...sources.flatMap(findImportProblems),
    ...findImportCircles(sources),
    ...sources.flatMap(findBannedCalls),
    ...sources.flatMap(findShapeProblems),
    ...sources.flatMap(findConsolePaths),
    ...listSql().map(page).flatMap(findMigrationProblems),
    ...sources.flatMap(findConsoleImportProblems),
    ...[...sources, ...listSql().map(page)].flatMap(findSchemaNames),
    ...findCitusProblems(listFunctions().map(page), sources),
    ...findSchemaProblems(page('server/schema.sql')),
    ...checkErrorsPage(ERRORS, page('docs/errors.md')),
    ...checkSettingsPage(ALL_SETTINGS, page('docs/configuration.md')),
    ...checkStatesPage(STATE_TABLES, page('docs/states.md')),
    ...checkNamedTests(page('docs/security.md'), findText),
    ...checkCodeMap(listUnits(), page('ARCHITECTURE.md')),
    ...checkRankLine(page('ARCHITECTURE.md')),
    ...listDocumentsOfCode()
      .map(page)
      .flatMap((document) => checkNamedCode(document, code)),
    ...listDocuments()
      .filter((path) => path !== 'CHANGELOG.md')
      .map(page)
      .flatMap((document) => checkCounts(document, countCode())),
    ...checkDependencies(listManifests().map(page), page('docs/adr/0006-dependencies.md')),
    ...checkCodeMap(listConsoleUnits(), page('console/README.md'), '## Where things are'),
    ...checkGuides(listGuides(), page('docs/guides.json')),
    ...checkPageList(listGuides(), page('docs/README.md')),
    ...listDocuments().flatMap((path) => checkLinks(page(path), (target) => existsSync(join(root, target)))),
    ...listDocuments().map(page).flatMap(checkCommands),
    ...sources.filter(({ path }) => !isTest(path)).flatMap(checkCommands),
  ]
}

/** What documents may count, with how many there are. The changelog is left out: it tells what was so. */
function countCode(): Count[] {
  const rootFiles = readdirSync(root)
  const schema = readFileSync(join(root, 'server/schema.sql'), 'utf8')
  return [
    { things: 'OpenAPI documents', actual: rootFiles.filter((name) => /openapi.*\.json$/.test(name)).length },
    { things: 'workspaces', actual: listManifests().length - 1 },
    { things: 'migrations', actual: readdirSync(join(root, 'server/sql/migrations')).length },
    { things: 'SQL functions', actual: listFunctions().filter((path) => !path.includes('/citus/')).length },
    { things: 'tables', actual: [...schema.matchAll(/^create table /gim)].length },
    { things: 'error codes', actual: Object.keys(ERRORS).length },
    { things: 'event types', actual: EVENT_TYPES.length },
    { things: 'permissions', actual: PERMISSIONS.length },
    { things: 'settings', actual: Object.keys(ALL_SETTINGS).length },
    { things: 'guides', actual: listGuides().length },
  ]
}

function findText(path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
}

interface Text {
  readonly path: string
  readonly text: string
}

function findCitusProblems(functions: readonly Text[], sources: readonly Text[]): Problem[] {
  const readers = new Set(functions.filter(usesTables).map(({ path }) => posix.basename(path, '.sql')))
  return [
    ...functions.flatMap((file) => findFunctionProblems(file, readers)),
    ...sources.flatMap((file) => findSourceProblems(file, readers)),
  ]
}

function listFunctions(): string[] {
  return listSql().filter((path) => /^server\/sql\/(?:citus\/)?functions\//.test(path))
}

function listSql(): string[] {
  const folder = 'server/sql'
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
}

/** Returns the package.json of this repository and of each of its workspaces. */
function listManifests(): string[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }
  return ['package.json', ...workspaces.map((folder) => `${folder}/package.json`)]
}

/** Returns the names at the top of server/src: folders with a slash at the end, and files. */
function listUnits(): string[] {
  return readdirSync(join(root, 'server/src'), { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .toSorted()
}

/** Returns every folder of the console's sources, and the files at their top, as the console's README names them. */
function listConsoleUnits(): string[] {
  const source = join(root, 'console/src')
  const entries = readdirSync(source, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: posix.join('src', relative(source, entry.parentPath), entry.name) }))
    .filter(({ entry, path }) => entry.isDirectory() || (dirname(path) === 'src' && !isTest(path)))
    .map(({ entry, path }) => (entry.isDirectory() ? `${path}/` : path))
  return ['build/', 'test/', ...entries].toSorted()
}

/** Returns the files that are pages of /docs, relative to docs/. */
function listGuides(): string[] {
  const own = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => name.replaceAll('\\', '/'))
  return [...own, '../sdk/README.md', '../examples/README.md', '../CHANGELOG.md']
}

function listDocuments(): string[] {
  const inside = (folder: string, recursive = false) =>
    readdirSync(join(root, folder), { recursive, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => posix.join(folder, name))
  return [...inside('.'), ...inside('docs', true), ...WORKSPACES.flatMap((folder) => inside(folder))]
}

/** The documents for people who change the code. */
function listDocumentsOfCode(): string[] {
  return listDocuments().filter((path) =>
    /^(ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/adr\/|(^|\/)README\.md$|^docs\/proof\.md$/.test(path),
  )
}

function readCode(): Code {
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split(
    '\n',
  )
  const words = new Set<string>()
  for (const path of paths.filter((name) => /\.(ts|tsx|mjs|sql|json|css)$/.test(name) && existsSync(join(root, name))))
    for (const [word] of readFileSync(join(root, path), 'utf8').matchAll(/\w+/g)) words.add(word)
  const files = new Set(paths.map((path) => posix.basename(path)))
  return {
    exists: (path) => existsSync(join(root, path)),
    hasFile: (name) => files.has(name),
    hasWord: (word) => words.has(word),
  }
}

const problems = findProblems()
for (const { path, line, message } of problems) console.error(`${path}:${line} ${message}`)
if (problems.length > 0) {
  console.error(`${problems.length} problem${problems.length === 1 ? '' : 's'}`)
  process.exitCode = 1
}
