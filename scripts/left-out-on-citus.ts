// `npm run left-out-on-citus` lists the tests that are left out when the tests run on Citus, and says why.
import { readdirSync, readFileSync } from 'node:fs'
import { LEFT_OUT_ON_CITUS } from '../server/test/support/left-out-on-citus.ts'
import { findLeftOut } from './left-out/on-citus.ts'

const FOLDER = 'server/test/'
const TESTS = new URL(`../${FOLDER}`, import.meta.url)
const paths = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .toSorted()
const all = paths.flatMap((path) =>
  findLeftOut(readFileSync(new URL(path, TESTS), 'utf8')).map((test) => ({ ...test, path: FOLDER + path })),
)

for (const [reason, sentence] of Object.entries(LEFT_OUT_ON_CITUS)) {
  console.log(sentence)
  for (const test of all.filter((each) => each.reason === reason))
    console.log(`  ${test.path}:${test.line} ${test.title ?? '(some of the cases)'}`)
}
