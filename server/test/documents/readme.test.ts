// Follows README.md as it is written. `npm ci` and `npm test` are not run here: .ci/run installs and runs every test in a clean clone.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listPages, readPage, root } from './blocks.ts'
import { Checkout } from './checkout.ts'
import { Walk } from './walk.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
// A free port, because other servers may run on this machine.
const checkout = new Checkout({ PORT: '0' })
const walk = new Walk(checkout)
let outputs: string[] = []

beforeAll(async () => {
  outputs = await walk.follow('README.md')
})
afterAll(async () => {
  await walk.close()
  checkout.remove()
})

const balance = () => walk.run('curl -s $BASE/api/v1/balance -H "Authorization: Bearer $KEY"')

describe('README.md', () => {
  test('its commands issue a card, decide a review and add funds', async () => {
    const [, , issued = '', completed = '', review = '', funding = ''] = outputs
    expect(JSON.parse(issued)).toMatchObject({ type: 'issue', status: 'queued', fee: '3.05', total: '28.05' })
    const [operation = '', cards = '', before = ''] = completed.split(/(?<=\})(?=\{)|\n/)
    expect(JSON.parse(operation)).toMatchObject({ status: 'completed' })
    expect(JSON.parse(cards).data).toMatchObject([{ balance: '25.00', status: 'active' }])
    expect(JSON.parse(before)).toMatchObject({ available: '971.95', held: '0.00' })
    expect(review).toMatch(/"status":"manual_review"/)
    expect(review).toContain('28.05')
    expect(review).toMatch(/failed/)
    expect(funding).toBe('{}')
    expect(JSON.parse(await balance())).toMatchObject({ available: '1971.95', held: '0.00' })
  })

  test('the same request again gets the same answer, and another amount 409', async () => {
    const [, , issued] = outputs
    const issue = /^ANSWER=.*?\)$/ms.exec(readPage('README.md'))?.[0] ?? ''
    expect(await walk.run(`${issue}\necho $ANSWER`)).toBe(issued)
    expect(await walk.run(`${issue.replace('25.00', '26.00')}\necho $ANSWER`)).toContain('"idempotency_conflict"')
  })

  test('the commands that the first start prints work as they are printed', async () => {
    const commands = (outputs[0] ?? '').split('\n').filter((line) => line.startsWith('  curl '))
    expect(JSON.parse(await walk.run(commands[0] ?? ''))).toMatchObject({ type: 'issue', total: '28.05' })
    expect(JSON.parse(await walk.run(commands[1] ?? ''))).toHaveProperty('data')
  })
})

test('the commands of the documents need nothing but Node, npm and curl', () => {
  // Whoever prepares a release needs the programs of PostgreSQL too.
  const [contributing = ''] = read('CONTRIBUTING.md').split('## Prepare a release')
  for (const text of [contributing, ...listPages().map(readPage)]) {
    const commands = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].join('\n')
    expect(commands).not.toMatch(/\b(?:jq|uuidgen|openssl|psql|docker)\b/)
  }
})

describe('npm scripts', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const pages = read('README.md') + read('CONTRIBUTING.md') + read('docs/benchmarks.md')
  const named = new Set(
    [...pages.matchAll(/(?:`|^)npm (?:run (?:--silent )?)?([a-z][a-z0-9:-]*)/gm)].map(([, name]) => name ?? ''),
  )

  test('every script that the documents name exists, and every script is documented', () => {
    const builtIn = new Set(['ci'])
    expect([...named].filter((name) => !builtIn.has(name)).toSorted()).toEqual(Object.keys(scripts).toSorted())
  })

  test('CI runs the commands that are not run here', () => {
    expect(read('.ci/run')).toMatch(/^npm ci\nnpm run check$/m)
    expect(scripts['check']).toMatch(/&& npm run test:all && npm run --silent test:citus$/)
  })
})
