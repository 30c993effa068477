// Runs the commands of README.md as they are written. `npm ci` and `npm test` are not run here: .ci/run runs them in a
// clean clone.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, root, Terminals } from './terminals.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const readme = read('README.md')
// A separate port, because other servers may run on this machine.
const terminals = new Terminals({ PORT: '0' })
let printed = ''

beforeAll(async () => {
  const [commands = ''] = blocksOf(readme, 'Start it')
  const [install, ...start] = commands.trim().split('\n')
  if (install !== 'npm ci') throw new Error(`README.md begins with ${install}, which this test does not run`)
  printed = await terminals.start(start.join('\n'), /listens on \S+.*\n(?:.*\n)*\s+curl .+\n\s+curl .+\n/)
})
afterAll(() => terminals.close())

describe('README.md', () => {
  test('its commands issue a card, decide a review and add funds', async () => {
    const first = blocksOf(readme, 'Issue your first card')
    const [, issued = '', completed = ''] = await terminals.run(first)
    expect(JSON.parse(issued)).toMatchObject({ type: 'issue', status: 'queued', fee: '3.05', total: '28.05' })
    const [operation = '', cards = '', balance = ''] = completed.split(/(?<=\})(?=\{)|\n/)
    expect(JSON.parse(operation)).toMatchObject({ status: 'completed' })
    expect(JSON.parse(cards).data).toMatchObject([{ balance: '25.00', status: 'active' }])
    expect(JSON.parse(balance)).toMatchObject({ available: '971.95', held: '0.00' })

    const [, again] = await terminals.run(first.slice(0, 2))
    expect(again).toBe(issued)

    const [setup = '', holder = ''] = first
    const [, , review = '', funding = ''] = await terminals.run([
      setup,
      holder,
      ...blocksOf(readme, 'Decide a review'),
      ...blocksOf(readme, 'Add more funds'),
    ])
    expect(review).toMatch(/"status":"manual_review"/)
    expect(review).toContain('28.05')
    expect(review).toMatch(/failed/)
    expect(funding).toBe('{}')

    const [, after = ''] = await terminals.run([setup, 'curl -s $BASE/api/v1/balance -H "Authorization: Bearer $KEY"'])
    expect(JSON.parse(after)).toMatchObject({ available: '1971.95', held: '0.00' })
  })

  test('the commands that the first start prints work as they are printed', async () => {
    const commands = printed.split('\n').filter((line) => line.startsWith('  curl '))
    const [issued = '', cards = ''] = await terminals.run(commands)
    expect(JSON.parse(issued)).toMatchObject({ type: 'issue', total: '28.05' })
    expect(JSON.parse(cards)).toHaveProperty('data')
  })
})

test('the commands of the documents need nothing but Node, npm and curl', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]
  // Whoever prepares a release needs the programs of PostgreSQL too.
  const [contributing = ''] = read('CONTRIBUTING.md').split('## Prepare a release')
  for (const page of [contributing, ...pages.map(read)]) {
    const commands = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].join('\n')
    expect(commands).not.toMatch(/\b(?:jq|uuidgen|openssl|psql|docker)\b/)
  }
})

describe('npm scripts', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const pages = readme + read('CONTRIBUTING.md') + read('docs/benchmarks.md')
  const named = new Set(
    [...pages.matchAll(/(?:`|^)npm (?:run (?:--silent )?)?([a-z][a-z0-9:]*)/gm)].map(([, name]) => name ?? ''),
  )

  test('every script that the documents name exists, and every script is documented', () => {
    const builtIn = new Set(['ci'])
    expect([...named].filter((name) => !builtIn.has(name)).toSorted()).toEqual(Object.keys(scripts).toSorted())
  })

  test('CI runs the commands that are not run here', () => {
    expect(read('.ci/run')).toMatch(/^npm ci\nnpm run check$/m)
    expect(scripts['check']).toMatch(/&& npm test$/)
  })
})
