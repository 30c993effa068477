// The short form of `npm run mutants`: the changes that it makes, and that the tests notice one in TypeScript and one in SQL.
import { expect, it } from 'vitest'
import { EQUIVALENT } from './equivalent.ts'
import { findMutants } from './find.ts'
import { withLane } from './lane.ts'
import { applyMutant, nameMutants } from './mutant.ts'
import { reportScore, scoreOf } from './report.ts'
import { mutateSql } from './sql-mutators.ts'
import { mutateTypeScript } from './typescript-mutators.ts'

const LIMIT_MS = 240_000

function textsOf(text: string, mutate: typeof mutateSql): string[] {
  return mutate(text).map((change) => applyMutant(text, change))
}

it.each([
  [
    'if (a < b) stop()',
    ['if (a <= b) stop()', 'if (a >= b) stop()', 'if (true) stop()', 'if (false) stop()', 'if (a < b) ;'],
  ],
  ['const x = a && !b', ['const x = a || !b', 'const x = a && b']],
  ['const x: number = a ?? 1', ['const x: number = a && 1']],
  ['const x = "a" + b', []],
  [
    'const x = list.filter(isOpen).length - 1',
    ['const x = list.filter(isOpen).length + 1', 'const x = list.length - 1'],
  ],
  ['const most = Math.max(a, b)', ['const most = Math.min(a, b)']],
  ["log.info('started')", []],
  [
    'const q = sql`select a from b where c = ${scope.id} limit 5`',
    [
      'const q = sql`select a from b where true limit 5`',
      'const q = sql`select a from b where c <> ${scope.id} limit 5`',
      'const q = sql`select a from b where c = ${scope.id} limit 6`',
    ],
  ],
  [
    'const q = sql`select coalesce(${a.b}, 0)`',
    ['const q = sql`select (${a.b})`', 'const q = sql`select coalesce(${a.b}, 1)`'],
  ],
])('TypeScript: %s', (text, expected) => {
  expect(textsOf(text, mutateTypeScript).toSorted()).toEqual(expected.toSorted())
})

it.each([
  ['update a set b = c where d is null', ['update a set b = c where true', 'update a set b = c where d is not null']],
  [
    'select 1 from a where b between c and d and e',
    [
      'select 1 from a where b between c and d and true',
      'select 1 from a where b between c and d or e',
      'select 1 from a where true and e',
    ],
  ],
  [
    'select a from b for no key update of b skip locked',
    ['select a from b ', 'select a from b for no key update of b '],
  ],
  [
    'if not found then raise no_data; end if;',
    [
      'if found then raise no_data; end if;',
      'if false then raise no_data; end if;',
      'if true then raise no_data; end if;',
      'if not found then null; end if;',
    ],
  ],
  ["select least(a, b) || 'and' -- or", ["select greatest(a, b) || 'and' -- or"]],
  ["case o.status when 'open' then a end", []],
])('SQL: %s', (text, expected) => {
  const trimmed = textsOf(text, mutateSql).map((each) => each.replaceAll(/ +/g, ' '))
  expect(trimmed.toSorted()).toEqual(expected.map((each) => each.replaceAll(/ +/g, ' ')).toSorted())
})

it('names equal changes of equal lines apart', () => {
  const text = 'a < b\na < b\n'
  const names = nameMutants('x.ts', text, mutateTypeScript(text)).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

it('every part of the core has mutants, and each mutant that is called equivalent exists', () => {
  const names = new Set(findMutants().map(({ name }) => name))
  expect(names.size).toBeGreaterThan(4000)
  expect([...EQUIVALENT.keys()].filter((name) => !names.has(name))).toEqual([])
})

it('the score counts what was noticed', () => {
  const line = (kind: 'noticed' | 'survived' | 'invalid') => ({
    name: `src/ledger/${kind}.ts`,
    kind,
    by: null,
    seconds: 1,
  })
  const lines = [line('noticed'), line('noticed'), line('noticed'), line('survived'), line('invalid')]
  expect(scoreOf(lines)).toBe(0.75)
  expect(reportScore(lines, 9).join('\n')).toContain('| all | 5 | 3 | 1 | 0 | 1 | 75 % |')
})

it('notices a mutant of a rule and a mutant of a function, and nothing without one', async () => {
  const mutants = findMutants()
  const find = (text: string) => mutants.find(({ name }) => name.includes(text))
  const rule = find('src/operations/rules.ts: const step = nextStep(isComplete(operation, outcome)')
  const release = find("from moved m where m.status = 'failed' [m.status = 'failed' → true]")
  expect([rule, release]).not.toContain(undefined)
  const ruleTests = ['server/src/operations/rules.test.ts']
  const releaseTests = ['server/test/ledger/settle.test.ts']
  await withLane(async (lane) => {
    expect(await lane.run(undefined, ruleTests, LIMIT_MS)).toEqual({ kind: 'survived' })
    expect(await lane.run(rule, ruleTests, LIMIT_MS)).toEqual({ kind: 'noticed', by: ruleTests[0] })
    expect(await lane.run(release, releaseTests, LIMIT_MS)).toEqual({ kind: 'noticed', by: releaseTests[0] })
  })
})
