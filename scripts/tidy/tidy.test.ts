// Each rule reports a made-up file that breaks it, and accepts one that does not.
import { describe, expect, it } from 'vitest'
import { findBannedCalls } from './banned.ts'
import { findImportCircles } from './circles.ts'
import { checkCodeMap } from './code-map.ts'
import { findConsoleImportProblems } from './console-imports.ts'
import { findConsolePaths } from './console-paths.ts'
import { checkCounts } from './counts.ts'
import { checkCommands, checkErrorsPage, checkLinks, checkSettingsPage, checkStatesPage } from './documents.ts'
import { checkGuides, checkPageList } from './guides.ts'
import { findImportProblems } from './imports.ts'
import { checkNamedCode, checkRankLine, describeRanks } from './named-code.ts'
import { findMigrationProblems } from './migrations.ts'
import { checkNamedTests } from './named-tests.ts'
import { findSchemaNames } from './schema-names.ts'
import { findShapeProblems } from './shape.ts'
import { toSource } from './source.ts'

const OPENING = '// What this file is for.\n'
const imports = (path: string, target: string, keyword = 'import { x }') =>
  findImportProblems(toSource(`server/src/${path}`, `${OPENING}${keyword} from '${target}'\n`)).map(
    ({ message }) => message,
  )
const banned = (path: string, line: string) =>
  findBannedCalls(toSource(path, OPENING + line)).map(({ message }) => message)

describe('imports', () => {
  it.each([
    ['lib/money.ts', '../db/pool.ts'],
    ['lib/money.ts', '../config/config.ts'],
    ['db/pool.ts', '../http/route.ts'],
    ['access/keyring.ts', '../ledger/accept.ts'],
    ['http/server.ts', '../cards/queries.ts'],
    ['cards/routes.ts', '../holders/queries.ts'],
    ['operations/create.ts', '../people/schema.ts'],
    ['setup/credentials.ts', '../app/app.ts'],
    ['errors.ts', './config/config.ts'],
    ['app/app.ts', '../cli/process/serve.ts'],
    ['db/citus/layout.ts', '../../http/server.ts'],
  ])('%s may not import %s', (path, target) => {
    expect(imports(path, target)).toEqual([expect.stringContaining('imports go only to a lower rank')])
    expect(imports(path, target, 'import type { x }')).toHaveLength(1)
    expect(imports(path, target, 'export { x }')).toHaveLength(1)
  })

  it.each([
    ['cards/routes.ts', './queries.ts'],
    ['cards/routes.ts', '../http/route.ts'],
    ['operations/review.ts', '../reviews/review.ts'],
    ['app/app.ts', '../people/routes.ts'],
    ['cli/process/serve.ts', '../../app/app.ts'],
    ['db/citus/layout.ts', '../pool.ts'],
    ['http/server.ts', 'fastify'],
  ])('%s may import %s', (path, target) => expect(imports(path, target)).toEqual([]))

  it('a folder without a rank and an import from outside the server are problems', () => {
    expect(imports('billing/routes.ts', '../http/route.ts')).toEqual([expect.stringContaining('has no rank')])
    expect(imports('cards/routes.ts', '../../test/support/harness.ts')).toEqual([
      expect.stringContaining('outside the server'),
    ])
  })

  it.each(['private-postgres', 'docs-site'])('%s imports nothing of this repository but itself', (name) => {
    const inPackage = (target: string) =>
      findImportProblems(toSource(`${name}/src/start.ts`, `${OPENING}import { x } from '${target}'\n`))
    for (const target of ['../../server/src/config.ts', '../../sdk/src/index.ts', '@cardstock/sdk'])
      expect(inPackage(target)).toEqual([
        expect.objectContaining({ message: expect.stringContaining('outside the package') }),
      ])
    for (const target of ['./lock.ts', 'node:fs', 'pg']) expect(inPackage(target)).toEqual([])
  })

  it('cli imports nothing of this repository but itself and the SDK', () => {
    const inPackage = (target: string) =>
      findImportProblems(toSource('cli/src/commands/card.ts', `${OPENING}import { x } from '${target}'\n`))
    for (const target of [
      '../../../server/src/lib/money.ts',
      '../../../sdk/src/index.ts',
      '@cardstock/private-postgres',
    ])
      expect(inPackage(target)).toEqual([
        expect.objectContaining({ message: expect.stringContaining('outside the package') }),
      ])
    for (const target of ['../output.ts', '@cardstock/sdk', 'commander']) expect(inPackage(target)).toEqual([])
  })

  it('only the command line and the first start use the package of the commands', () => {
    for (const path of ['cli/program.ts', 'setup/credentials.ts'])
      expect(imports(path, '@cardstock/cli/files')).toEqual([])
    for (const target of ['@cardstock/cli', '@cardstock/cli/files'])
      expect(imports('ledger/accept.ts', target)).toEqual([`ledger may not import ${target}`])
  })

  it('the adapter uses tools and the issuer protocol only, and only a command uses the adapter', () => {
    for (const target of [
      '../../db/pool.ts',
      '../../issuer/http/protocol.ts',
      '../../issuer/invoice-terms.ts',
      './node.ts',
    ])
      expect(imports('adapter/tron/walk.ts', target)).toEqual([])
    for (const target of ['../../issuer/gate.ts', '../../cards/queries.ts', '../../ledger/accept.ts'])
      expect(imports('adapter/tron/walk.ts', target)).toEqual([expect.stringContaining('may not import')])
    expect(imports('adapter/tron/walk.ts', '../../funding/rules.ts')).toHaveLength(1)
    expect(imports('cli/process/issuer.ts', '../../adapter/tron/walk.ts')).toEqual([])
    expect(imports('app/app.ts', '../adapter/tron/walk.ts')).toEqual(['app may not import the adapter'])
  })

  it('inside a domain, imports go down: from routes to use cases to rules, states and queries', () => {
    expect(imports('cards/queries.ts', './routes.ts')).toHaveLength(1)
    expect(imports('cards/queries.ts', './create.ts')).toHaveLength(1)
    expect(imports('cards/create.ts', './routes.ts')).toHaveLength(1)
    expect(imports('cards/queries.ts', './create.ts', 'import type { x }')).toEqual([])
    expect(imports('operations/rules.ts', './queries.ts')).toHaveLength(1)
    expect(imports('operations/states.ts', '../db/sql.ts')).toHaveLength(1)
  })

  it('queries may not import anything of HTTP, not even its types', () => {
    expect(imports('cards/queries.ts', '../http/page.ts')).toHaveLength(1)
    expect(imports('cards/queries.ts', '../http/page.ts', 'import type { x }')).toEqual([
      expect.stringContaining('queries know nothing of HTTP'),
    ])
    expect(imports('cards/queries.ts', '../lib/slice.ts', 'import type { x }')).toEqual([])
    expect(imports('cards/routes.ts', '../http/page.ts', 'import type { x }')).toEqual([])
  })

  it('imports over several lines and dynamic imports are found, with the right line number', () => {
    const text = `${OPENING}\nimport {\n  a,\n  b,\n} from '../http/route.ts'\nawait import('../app.ts')\n`
    expect(findImportProblems(toSource('server/src/lib/x.ts', text)).map(({ line }) => line)).toEqual([3, 7])
  })
})

describe('circles of imports', () => {
  const circles = (files: Readonly<Record<string, string>>) =>
    findImportCircles(Object.entries(files).map(([path, text]) => toSource(path, OPENING + text)))
  const [a, b, c] = ['server/src/lib/a.ts', 'server/src/lib/b.ts', 'server/src/http/c.ts'] as const

  it('are reported at the import that closes them, with the way around', () => {
    const files = {
      [a]: "import { x } from './b.ts'\n",
      [b]: "export {\n  x,\n} from '../http/c.ts'\n",
      [c]: "import { y } from 'node:fs'\nimport { x } from '../lib/a.ts'\n",
    }
    expect(circles(files)).toEqual([{ path: c, line: 3, message: `circle of imports: ${a} → ${b} → ${c} → ${a}` }])
  })

  it('are reported when one import is on demand, and when the console writes it with ~/', () => {
    expect(
      circles({ [a]: "import { x } from './b.ts'\n", [b]: "const { x } = await import('./a.ts')\n" }),
    ).toHaveLength(1)
    const page = {
      'console/src/a.tsx': "import { x } from '~/b.tsx'\n",
      'console/src/b.tsx': "import { x } from './a.tsx'\n",
    }
    expect(circles(page)).toHaveLength(1)
  })

  it('are not made by types, by tests, or by two ways to one file', () => {
    expect(circles({ [a]: "import { x } from './b.ts'\n", [b]: "import type { X } from './a.ts'\n" })).toEqual([])
    expect(
      circles({ [a]: "import { x } from './a.test.ts'\n", 'server/src/lib/a.test.ts': "import { x } from './a.ts'\n" }),
    ).toEqual([])
    const ways = {
      [a]: "import { x } from './b.ts'\nimport { y } from '../http/c.ts'\n",
      [b]: "import { y } from '../http/c.ts'\n",
    }
    expect(circles({ ...ways, [c]: '' })).toEqual([])
  })
})

describe('calls that are allowed in one place only', () => {
  it.each([
    ['server/src/cards/read.ts', 'const s = sql`select 1`'],
    ['server/src/cards/read.ts', "await client.query('select 1')"],
    ['server/src/cards/read.ts', 'const at = new Date()'],
    ['server/src/cards/read.ts', 'const at = Date.now()'],
    ['server/src/cards/read.ts', 'await fetch(url)'],
    ['server/src/cards/read.ts', 'http.request(url)'],
    ['server/src/cards/read.ts', "import { request } from 'undici'"],
    ['server/src/cards/read.ts', "const home = process.env['HOME']"],
    ['server/src/cli/process/serve.ts', 'process.env.PORT'],
    ['server/src/cards/read.ts', 'const x: any = 1'],
    ['server/src/cards/read.ts', 'const x = y as any'],
    ['server/src/cards/read.ts', 'const x: any[] = []'],
    ['server/src/cards/read.ts', 'const x: Promise<any> = y'],
    ['server/src/cards/read.ts', 'const cents = Number(text)'],
    ['server/src/cards/read.ts', 'return fee.toFixed(2)'],
    ['sdk/src/x.ts', 'const balance = parseFloat(text)'],
  ])('%s: %s', (path, line) => expect(banned(path, line)).toHaveLength(1))

  it.each([
    ['server/src/cards/queries.ts', 'const s = sql`select 1`'],
    ['server/src/db/migrate.ts', "await client.query('select 1')"],
    ['server/src/lib/clock.ts', 'const at = new Date()'],
    ['server/src/cards/read.ts', 'const at = new Date(ms)'],
    ['server/src/cards/read.ts', "// new Date() and process.env are not for here\nconst a = 'fetch(x): any'"],
    ['server/src/cards/read.ts', 'const rows = await request.fetch({ limit })'],
    ['server/src/cards/read.ts', 'const load = async (fetch: () => Promise<Row>) => fetch()'],
    ['server/src/issuer/http.ts', 'await fetch(url)'],
    ['server/src/webhooks/deliver.ts', "import { request } from 'undici'"],
    ['sdk/src/client.ts', 'await fetch(url)'],
    ['cli/src/run-program.ts', 'serve(process.env)'],
    ['server/src/config/config.ts', 'const port = Number(text)'],
    ['server/src/cards/read.ts', 'const many: string[] = anything'],
    ['server/src/cards/read.test.ts', 'const at = Date.now()'],
  ])('%s may contain: %s', (path, line) => expect(banned(path, line)).toEqual([]))
})

describe('shape', () => {
  const shape = (text: string, path = 'server/src/cards/read.ts') =>
    findShapeProblems(toSource(path, text)).map(({ message }) => message)
  const lines = (count: number) => 'const a = 1\n'.repeat(count)
  const long = (count: number) => `${OPENING}export function big() {\n${'  work()\n'.repeat(count)}}\n`

  it('a file begins with a comment', () => {
    expect(shape('const a = 1\n')).toEqual([expect.stringContaining('does not begin with a comment')])
    expect(shape(`#!/usr/bin/env node\n${OPENING}`)).toEqual([])
  })
  it('a file has at most 300 lines, unless it is a test', () => {
    expect(shape(OPENING + lines(299))).toEqual([])
    expect(shape(OPENING + lines(300))).toEqual(['has 301 lines; the maximum is 300'])
    expect(shape(OPENING + lines(300), 'server/src/cards/read.test.ts')).toEqual([])
  })
  it('a function has at most 60 lines, unless it is a list of routes', () => {
    expect(shape(long(58))).toEqual([])
    expect(shape(long(59))).toEqual(['big has 61 lines; the maximum is 60'])
    expect(shape(long(59), 'server/src/cards/routes.ts')).toEqual([])
    expect(shape(`${OPENING}const big = (a: number) => {\n${'  work()\n'.repeat(59)}}\n`)).toHaveLength(1)
  })
  it('there are no barrels', () => {
    expect(shape(`${OPENING}export * from './a.ts'\nconst x = 1\n`)).toHaveLength(1)
    expect(shape(`${OPENING}export { a } from './a.ts'\nexport { b } from './b.ts'\n`)).toHaveLength(1)
    expect(shape(`${OPENING}export { a } from './a.ts'\n`, 'sdk/src/index.ts')).toEqual([])
    expect(shape(`${OPENING}export { a } from './a.ts'\nexport const b = 1\n`)).toEqual([])
  })
  it('no comment defers work to later', () => {
    // Assembled from parts, because the rule also reads this file.
    const deferred = [['TO', 'DO'].join(''), ['FIX', 'ME'].join('')]
    expect(shape(`${OPENING}// ${deferred[0]} later\n`)).toHaveLength(1)
    expect(shape(`${OPENING}// ${deferred[1]}\n`, 'server/src/cards/read.test.ts')).toHaveLength(1)
  })
})

describe('documents', () => {
  const page = (...rows: string[]) => ({
    path: 'docs/x.md',
    text: ['# X', '', '| A | B | C |', '|---|---|---|', ...rows].join('\n'),
  })
  const messages = (problems: readonly { message: string }[]) => problems.map(({ message }) => message)

  it('every error code, and nothing else, has a heading under its status and says what happened and what to do', () => {
    const errors = { not_found: 404, internal: 500 }
    const section = (code: string, status: number) =>
      `## Status ${status}\n\n### \`${code}\`\n\nIt happened.\n\n**What to do:** This.\n`
    const check = (...parts: string[]) =>
      messages(checkErrorsPage(errors, { path: 'docs/errors.md', text: parts.join('\n') }))
    const good = [section('not_found', 404), section('internal', 500)]
    expect(check(...good)).toEqual([])
    expect(check(good[0] ?? '')).toEqual(['error code internal is missing'])
    expect(check(...good, section('gone', 410))).toEqual(['there is no error code gone'])
    expect(check(...good, good[0] ?? '')).toEqual(['error code not_found has two headings'])
    expect(check(good[0] ?? '', section('internal', 501))).toEqual([
      'error code internal is under 501, but its status is 500',
    ])
    expect(check(good[0] ?? '', (good[1] ?? '').replace('It happened.\n', ''))).toHaveLength(1)
    expect(check(good[0] ?? '', (good[1] ?? '').replace('This.', ''))).toHaveLength(1)
  })

  it('no page runs the command line as a package of somebody else', () => {
    const check = (line: string) => checkCommands({ path: 'docs/x.md', text: line })
    for (const line of [
      'npx cardstock balance',
      'Run `npx --yes cardstock`.',
      'X=$(npm exec -- cardstock --version)',
      'bunx cardstock',
    ])
      expect(check(line)).toHaveLength(1)
    for (const line of [
      'node server/bin/cardstock.mjs balance',
      'npm install ../cardstock/sdk',
      'npx tsx examples/top-up.ts',
    ])
      expect(check(line)).toEqual([])
  })

  it('every setting is listed with its default', () => {
    const settings = { PORT: { fallback: '8080' }, URL: { fallback: undefined } }
    expect(checkSettingsPage(settings, page('| `PORT` | `8080` | x |', '| `URL` | not set | x |'))).toEqual([])
    expect(checkSettingsPage(settings, page('| `PORT` | `80` | x |', '| `URL` | `x` | x |'))).toHaveLength(2)
  })

  it('every state is listed under its heading with the states that may follow', () => {
    const table = { heading: 'Things', transitions: { open: ['closed', 'lost'], closed: [], lost: [] } }
    const rows = ['| `open` | `closed`, `lost` | x |', '| `closed` | final | x |', '| `lost` | final | x |']
    const states = (...parts: string[]) =>
      messages(checkStatesPage([table], { path: 'docs/states.md', text: parts.join('\n') }))
    expect(states('## Things', ...rows, '## Others', '| `open` | final | x |')).toEqual([])
    expect(states('## Others', ...rows)).toEqual(['the heading "## Things" is missing'])
    expect(states('## Things', ...rows.slice(1))).toEqual(['Things state open is missing'])
    expect(states('## Things', '| `open` | `closed` | x |', ...rows.slice(1))).toHaveLength(1)
  })
})

describe('the code map', () => {
  const map = (...rows: string[]) => ({
    path: 'ARCHITECTURE.md',
    text: [
      '# X',
      '`other/` is named elsewhere',
      '## Code map',
      '| Folder (in `server/src`) | What |',
      ...rows,
      '## Next',
    ].join('\n'),
  })
  const messages = (units: string[], ...rows: string[]) =>
    checkCodeMap(units, map(...rows)).map(({ message }) => message)

  it('names every folder and file of server/src', () => {
    expect(messages(['app.ts', 'cards/', 'holders/'], '| `app.ts` | x |', '| `cards/ holders/` | x |')).toEqual([])
    expect(messages(['cards/', 'other/'], '| `cards/` | `other/` is beside it |')).toEqual([
      'the code map does not name other/',
    ])
  })
  it('names nothing that does not exist', () => {
    expect(messages(['cards/'], '| `cards/`, `gone/` | x |')).toEqual([
      'the code map names gone/, which does not exist',
    ])
  })
  it('has the heading that is asked for', () => {
    const page = { path: 'console/README.md', text: '## Where things are\n| `src/ui/` | x |' }
    expect(checkCodeMap(['src/ui/'], page, '## Where things are')).toEqual([])
    expect(checkCodeMap(['src/ui/', 'src/api/'], page, '## Where things are')).toHaveLength(1)
  })
  it('exists', () => {
    expect(checkCodeMap([], { path: 'ARCHITECTURE.md', text: '# X' })).toHaveLength(1)
  })
})

describe('the list of guides', () => {
  const check = (files: string[], ...listed: string[]) => {
    const groups = [{ title: 'X', pages: listed.map((file) => ({ file, title: file })) }]
    const page = { path: 'docs/guides.json', text: JSON.stringify(groups) }
    return checkGuides(files, page).map(({ message }) => message)
  }

  it('names every file once, and nothing else', () => {
    expect(check(['a.md', 'adr/1.md'], 'adr/1.md', 'a.md')).toEqual([])
    expect(check(['a.md', 'b.md'], 'a.md')).toEqual(['docs/b.md is not listed'])
    expect(check(['a.md'], 'a.md', 'gone.md')).toEqual(['docs/gone.md does not exist'])
    expect(check(['a.md'], 'a.md', 'a.md')).toEqual(['docs/a.md is listed twice'])
  })

  it('the list of pages links every one but the decisions', () => {
    const page = { path: 'docs/README.md', text: '- [A](a.md)' }
    expect(checkPageList(['a.md', 'adr/1.md', 'b.md'], page).map(({ message }) => message)).toEqual([
      'docs/b.md is not linked',
    ])
  })
})

describe('links', () => {
  it('inside the project must point to a file that exists', () => {
    const text = '[a](ledger.md#entries) [b](../server/gone.ts) [c](https://example.com/x) [d](#here)'
    const found = checkLinks({ path: 'docs/page.md', text }, (path) => path === 'docs/ledger.md')
    expect(found.map(({ message }) => message)).toEqual(['the target of the link ../server/gone.ts does not exist'])
  })
})

describe('imports of the console', () => {
  const found = (path: string, target: string, names = '{ x }') =>
    findConsoleImportProblems(toSource(`console/src/${path}`, `${OPENING}import ${names} from '${target}'\n`)).map(
      ({ message }) => message,
    )

  it.each([
    ['lib/store.ts', '~/api/me.ts'],
    ['api/me.ts', '~/ui/table.tsx'],
    ['ui/table.tsx', '~/features/keys/scopes.ts'],
    ['features/keys/source.ts', '~/features/people/source.ts'],
    ['features/operations/words.ts', '~/features/order/fee-rule.ts'],
    ['features/keys/source.ts', '~/pages/team/team.tsx'],
    ['pages/cards/list.tsx', '~/frame/menu.tsx'],
    ['pages/cards/list.tsx', '~/pages.ts'],
    ['pages.ts', './router.tsx'],
  ])('%s may not import %s', (path, target) => {
    expect(found(path, target)).toEqual([expect.stringContaining('imports go only to a lower rank')])
    expect(found(path, target, 'type { x }')).toHaveLength(1)
  })

  it.each([
    ['pages/cards/list.tsx', '~/features/order/order-form.tsx'],
    ['pages/operator/companies/list.tsx', '~/pages/operator/company-name.tsx'],
    ['pages/operator/pages.ts', './companies/words.ts'],
    ['features/order/order-form.tsx', '~/features/operations/progress.tsx'],
    ['ui/table.tsx', '~/api/me.ts'],
    ['ui/table.tsx', './table.module.css'],
    ['frame/menu.tsx', '~/pages.ts'],
    ['main.tsx', './app.tsx'],
    ['ui/table.tsx', '@mantine/core'],
  ])('%s may import %s', (path, target) => expect(found(path, target)).toEqual([]))

  it('no page imports another, nor from the folder of another', () => {
    expect(found('pages/cards/list.tsx', './detail.tsx', 'Detail')).toEqual([
      expect.stringContaining('no page imports another'),
    ])
    expect(found('pages/cards/list.tsx', './cards.module.css', 'styles')).toEqual([])
    for (const target of ['~/pages/holders/words.ts', '~/pages/operator/company-name.tsx'])
      expect(found('pages/cards/list.tsx', target)).toEqual([expect.stringContaining('no page imports from another')])
    expect(found('pages/operator/reviews/list.tsx', '~/pages/operator/companies/words.ts')).toHaveLength(1)
  })

  it('what is outside the folder is imported as ~/…, and every folder has a rank', () => {
    expect(found('pages/cards/list.tsx', '../../ui/table.tsx')).toEqual([
      expect.stringContaining('write its path as ~/'),
    ])
    expect(found('billing/list.ts', '~/lib/clock.ts')).toEqual([expect.stringContaining('billing has no rank')])
    expect(found('pages/cards/list.tsx', '~/features/billing/x.ts')).toEqual([
      expect.stringContaining('features/billing has no rank'),
    ])
  })

  it('an import on demand counts as well', () => {
    const source = toSource(
      'console/src/ui/table.tsx',
      `${OPENING}const load = () => import('~/pages/team/team.tsx')\n`,
    )
    expect(findConsoleImportProblems(source)).toHaveLength(1)
  })
})

describe('URLs of the console', () => {
  const found = (path: string, line: string) =>
    findConsolePaths(toSource(path, OPENING + line)).map(({ line: at, message }) => [at, message])

  it.each([
    [`<Go href="/cards/issue">`, '/cards/issue'],
    ['go(`/cards/${id}`)', '/cards/${id}'],
    [`const href = paths.cards() + '/issue'`, '/issue'],
  ])('%s belongs in paths.ts', (line, url) => {
    const message = `the URL ${url} is written here; make it in console/src/paths.ts and call its function`
    expect(found('console/src/pages/cards/list.tsx', line)).toEqual([[2, message]])
    expect(found('console/src/paths.ts', line)).toEqual([])
    expect(found('server/src/cards/routes.ts', line)).toEqual([])
  })

  it.each([
    `<Go href={paths.issueCard()}>`,
    `placeholder: '/api/v1/operations'`,
    `<img src="/assets/favicon.svg" />`,
    `const parts = path.split('/')`,
    `// A comment about '/cards'.`,
  ])('%s is fine', (line) => expect(found('console/src/pages/cards/list.tsx', line)).toEqual([]))
})

describe('names of schemas', () => {
  const find = (path: string, text: string) => findSchemaNames({ path, text }).map(({ line }) => line)

  it('are refused in the statements and the functions of the server', () => {
    expect(find('server/src/ledger/queries.ts', '\n sql`select id from public.accept_operations($1)`')).toEqual([2])
    expect(find('server/sql/functions/a/b.sql', "format('select public.due_here(%L)', p_now)")).toEqual([1])
  })

  it('are no business of anything else', () => {
    expect(find('server/src/db/files.ts', '/** They are public. */')).toEqual([])
    expect(find('server/src/db/files.ts', 'select republic.x')).toEqual([])
    expect(find('scripts/tidy/citus.ts', 'ON public.card')).toEqual([])
  })
})

describe('migrations', () => {
  const check = (text: string, name = '0002_later.sql') =>
    findMigrationProblems({ path: `server/sql/migrations/${name}`, text }).map(({ message }) => message)

  it.each([
    ['drop table card;', 'drops'],
    ['alter table card drop column last4;', 'drops'],
    ['drop function card_json;', 'drops'],
    ['alter table card rename to payment_card;', 'renames'],
    ['alter table card rename column last4 to digits;', 'renames'],
    ['alter table card rename last4 to digits;', 'renames'],
    ['alter table card alter column last4 type varchar(4);', 'changes a type'],
    ['ALTER TABLE card ALTER last4 SET DATA TYPE text;', 'changes a type'],
    ['alter table card add column note text not null;', 'not null and has no default'],
    ['alter table card add note text not null, add column more text default $$x$$;', 'not null and has no default'],
    ['alter table card alter column note set not null;', 'forbids null'],
    ['alter table card add column token uuid default gen_random_uuid();', 'differs in each row'],
    ['create index card_by_note on card (note);', 'makes an index'],
    ['create unique index card_by_note on only card (note);', 'makes an index'],
    ['alter table card add constraint short check (length(note) < 9);', 'checked for every row'],
    ['alter table card add foreign key (note) references note;', 'checked for every row'],
    ["update card set note = '';", 'in one long transaction'],
    ['delete from card;', 'in one long transaction'],
    ['lock table card in exclusive mode;', 'locks a table'],
    ["set local lock_timeout = '1h';", 'lock_timeout'],
  ])('%s is refused', (text, message) => {
    expect(check(text)).toEqual([expect.stringContaining(message)])
    expect(check(`-- safe: the table has one row.\n${text}`)).toEqual([])
    expect(check(`-- safe:\n${text}`)).toHaveLength(1)
    expect(check(text, '0002_later/01_cards.sql')).toHaveLength(1)
    expect(check(text, '0001_baseline/06_cards.sql')).toEqual([])
  })

  it.each([
    'alter table card add column note text;',
    "alter table card add column note text not null default 'none', add column more integer;",
    'alter table card add constraint short check (length(note) < 9) not valid;',
    'create table note (id uuid primary key, text text not null); create index note_by_text on note (text); delete from note;',
    'create function f() returns void language plpgsql as $$ begin delete from card; end $$; -- drop table card;',
    "comment on table card is 'drop table card; it''s a text';",
  ])('%s is accepted', (text) => expect(check(text)).toEqual([]))

  it('a problem has the line of its statement', () => {
    const [problem] = findMigrationProblems({
      path: 'server/sql/migrations/9999_later.sql',
      text: '-- What it is for.\nalter table card add column note text;\n\ndrop table card;\n',
    })
    expect(problem?.line).toBe(4)
  })
})

describe('the tests that a page names', () => {
  const files: Record<string, string> = { 'server/test/a.test.ts': "it('holds the promise', () => {})" }
  const check = (row: string) =>
    checkNamedTests(
      { path: 'docs/page.md', text: `| Promise | Test |\n| --- | --- |\n${row}\n\n| Other | table |` },
      (path) => files[path],
    ).map(({ line, message }) => `${line} ${message}`)

  it('are there, with the title that is quoted', () => {
    expect(check('| It holds. | [a](../server/test/a.test.ts): `holds the promise` |')).toEqual([])
    expect(check('| It holds. | [a](../server/test/a.test.ts) |')).toEqual([])
  })

  it('are missed where there is none, no such file, or no such title', () => {
    expect(check('| It holds. | we looked |')).toEqual(['3 a promise names no test'])
    expect(check('| It holds. | [b](../server/test/b.test.ts) |')).toEqual(['3 there is no test server/test/b.test.ts'])
    expect(check('| It holds. | [a](../server/test/a.test.ts): `is gone` |')).toEqual([
      '3 server/test/a.test.ts has no test "is gone"',
    ])
  })
})

describe('code that documents name', () => {
  const files = new Set(['server/src/operations/create.ts', 'server/src/operations', 'docs/adr'])
  const code = {
    exists: (path: string) => files.has(path),
    hasFile: (name: string) => name === 'create.ts',
    hasWord: (word: string) => word === 'settlementOf',
  }
  const check = (text: string) =>
    checkNamedCode({ path: 'docs/adr/0001-x.md', text }, code).map(({ message }) => message)

  it.each([
    ['a path from server/src', '`operations/create.ts`'],
    ['a folder', '`operations/`'],
    ['a name that several folders have', '`create.ts`'],
    ['a function', '`settlementOf` and `settlementOf()`'],
    ['a package', '`@fastify/swagger`'],
    ['a path in a block of code', '```\n`operations/none.ts`\n```'],
  ])('%s is no problem', (_, text) => expect(check(text)).toEqual([]))

  it.each([
    ['`operations/none.ts`', 'there is no operations/none.ts'],
    ['`none/`', 'there is no none/'],
    ['`none.ts`', 'no folder has a file none.ts'],
    ['`settlementFor()`', 'no source file has the name settlementFor'],
  ])('%s is one if it does not exist', (text, message) => expect(check(text)).toEqual([message]))

  it('the order of imports must be the one in force', () => {
    const page = (text: string) => ({ path: 'ARCHITECTURE.md', text })
    expect(checkRankLine(page(`Imports: \`${describeRanks()}\`.`))).toEqual([])
    expect(checkRankLine(page('Imports: `lib < main`.'))).toHaveLength(1)
  })
})

describe('counts in documents', () => {
  const counts = [
    { things: 'OpenAPI documents', actual: 4 },
    { things: 'tables', actual: 1048 },
  ]
  const check = (text: string) => checkCounts({ path: 'README.md', text }, counts)

  it('are problems if there are more or fewer of these things', () => {
    expect(check('# Title\n\nIt reads the three OpenAPI documents.')).toEqual([
      {
        path: 'README.md',
        line: 3,
        message: 'there are 4 OpenAPI documents, not three; correct the number or leave it out',
      },
    ])
    expect(check('Five OpenAPI\ndocuments and 1,047 tables.')).toHaveLength(2)
  })

  it('are right in digits, in words and over two lines', () => {
    expect(check('Four OpenAPI\ndocuments; 4 OpenAPI documents; 1,048 tables; 1048 tables')).toEqual([])
    expect(check('Of the documents, one has three titles; one OpenAPI document is for issuers.')).toEqual([])
  })
})
