// The short form of `npm run mutants`: the changes that it makes, and that the tests notice one in TypeScript and one in SQL.
import { existsSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { isDistributed } from '../../support/on-citus.ts'
import { TEMPLATE, withCluster } from '../support/cluster.ts'
import { EQUIVALENT, EQUIVALENT_FAMILIES } from './equivalent.ts'
import { findMutants, readSource, SERVER } from './find.ts'
import { functionNamesOf } from './function-names.ts'
import { type Lane, withLane } from './lane.ts'
import { applyMutant, type Mutant, nameMutants } from './mutant.ts'
import { createReach } from './reach.ts'
import { reportScore, scoreOf } from './report.ts'
import { mutantOf, SOURCE_PLANTS } from './source-plants.ts'
import { mutateSql } from './sql-mutators.ts'
import { mutateTypeScript } from './typescript-mutators.ts'

/** Of one run of tests on one mutant. */
const LIMIT_MS = 240_000
/** Changes nothing. */
const NO_MUTANT: Mutant = { name: '', file: 'src/issuer/lease.ts', line: 1, start: 0, end: 0, replacement: '' }

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
  ["if (count > 1) log.info('started')", []],
  [
    'setTimeout(() => stop(a < b), ms).unref()',
    ['setTimeout(() => stop(a <= b), ms).unref()', 'setTimeout(() => stop(a >= b), ms).unref()'],
  ],
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
    'select f(a) from (select b from c where d between f(e) and g and h(i, 2)) j',
    [
      'select f(a) from (select b from c where true and h(i, 2)) j',
      'select f(a) from (select b from c where d between f(e) and g and true) j',
      'select f(a) from (select b from c where d between f(e) and g or h(i, 2)) j',
      'select f(a) from (select b from c where d between f(e) and g and h(i, 3)) j',
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
  [
    'select a from b left join lateral (select 1) c on true',
    ['select a from b left join lateral (select 1) c on false'],
  ],
])('SQL: %s', (text, expected) => {
  const trimmed = textsOf(text, mutateSql).map((each) => each.replaceAll(/ +/g, ' '))
  expect(trimmed.toSorted()).toEqual(expected.map((each) => each.replaceAll(/ +/g, ' ')).toSorted())
})

it('gives equal changes of equal lines different names', () => {
  const text = 'a < b\na < b\n'
  const names = nameMutants('x.ts', text, mutateTypeScript(text)).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

it('every part of the core has mutants, and each mutant that is called equivalent exists', () => {
  const names = new Set(findMutants().map(({ name }) => name))
  expect(names.size).toBeGreaterThan(4000)
  expect([...EQUIVALENT.keys()].filter((name) => !names.has(name))).toEqual([])
  expect(EQUIVALENT_FAMILIES.filter(({ pattern }) => ![...names].some((name) => pattern.test(name)))).toEqual([])
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

it('names the function around a place as the runtime does', () => {
  const text = `
    const first = 1
    export function outer(x: number) {
      const inner = async (y: number) => y + 2
      return { method() { return 3 }, arrow: () => [x].map((z) => z + 4), inner }
    }
    class Queue { async #push() { return 5 } }`
  const nameAt = functionNamesOf(text)
  const names = ['= 1', '+ 2', 'return 3', '+ 4', 'return 5'].map((place) => nameAt(text.indexOf(place)))
  expect(names).toEqual([undefined, 'inner', 'method', 'arrow', '#push'])
})

it('a mutant is tried with the tests that call its function', () => {
  const choose = createReach([
    { test: 'a.test.ts', reached: ['server/src/issuer/lease.ts#leaseUntil'] },
    { test: 'b.test.ts', reached: ['server/src/issuer/lease.ts#sendWithinMs'] },
    { test: 'c.test.ts', reached: ['server/src/ledger/queries.ts#sealEntries'] },
  ])
  const tests = ['a.test.ts', 'b.test.ts', 'c.test.ts']
  const at = (file: string, text: string) => ({ ...NO_MUTANT, file, start: readSource(file).indexOf(text) })
  expect(choose(at('src/issuer/lease.ts', 'issuerTimeoutMs / 6'), tests)).toEqual(['a.test.ts'])
  // Code outside of functions may matter to every test that loads the file, so all of these run.
  expect(choose(at('src/issuer/lease.ts', '// Computes'), tests)).toEqual(['a.test.ts', 'b.test.ts'])
  // The function is called by another one, which sealEntries calls.
  expect(choose(at('sql/functions/ledger/chain_over.sql', 'as'), tests)).toEqual(['c.test.ts'])
  expect(choose(at('src/lib/money.ts', 'cents'), tests)).toEqual(tests)
})

it('the text of each planted bug is in its source exactly once, and its test exists', () => {
  for (const plant of SOURCE_PLANTS) {
    mutantOf(plant)
    expect(existsSync(new URL(plant.noticedBy, SERVER)), plant.noticedBy).toBe(true)
  }
})

it(
  'a lease that is shorter than the call and a mutant of a function are noticed, and nothing else is',
  { timeout: 4 * LIMIT_MS },
  async ({ signal }) => {
    const lease = SOURCE_PLANTS.find(({ name }) => name === 'a lease is shorter than the call')
    const release = findMutants().find(({ name }) =>
      name.includes("from moved m where m.status = 'failed' [m.status = 'failed' → true]"),
    )
    if (lease === undefined || release === undefined) throw new Error('A mutant is missing.')
    const leaseTests = [`server/${lease.noticedBy}`]
    const releaseTests = ['server/test/ledger/settle.test.ts']
    const interrupt = new AbortController()
    const useLane = async (lane: Lane) => {
      expect(await lane.run(mutantOf(lease), leaseTests, LIMIT_MS)).toMatchObject({
        kind: 'noticed',
        by: leaseTests[0],
        error: expect.stringContaining('expected'),
      })
      // The next mutant begins with everything as it was.
      expect(await lane.run(NO_MUTANT, leaseTests, LIMIT_MS)).toEqual({ kind: 'survived' })
      expect(await lane.run(release, releaseTests, LIMIT_MS)).toMatchObject({ kind: 'noticed', by: releaseTests[0] })
      // An interrupted run ends its tests.
      const run = lane.run(NO_MUTANT, leaseTests, LIMIT_MS)
      interrupt.abort()
      await expect(run).rejects.toThrow('SIGKILL')
    }
    const ends = AbortSignal.any([signal, interrupt.signal])
    // A lane does not copy databases on all nodes of Citus.
    if (isDistributed()) await withCluster((superuser) => withLane({ superuser, template: TEMPLATE }, useLane, ends))
    else await withLane({ superuser: inject('connection'), template: inject('template') }, useLane, ends)
  },
)
