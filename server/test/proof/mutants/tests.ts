// Which tests run on a mutant: those of the promises of its domain. Tests that start processes are not among them, because the
// processes run the built server.
import { readdirSync } from 'node:fs'
import { SERVER } from './find.ts'

/** Run on every mutant whose function they call. */
const ALWAYS = [
  'server/test/api/bystanders.test.ts',
  'server/test/api/isolation.test.ts',
  'server/test/ledger/account-locks.test.ts',
  'server/test/proof/isolation/isolation.test.ts',
  'server/test/api/cards/',
  'server/test/api/holders/',
  'server/test/api/lists/',
  'server/test/api/operations/reviews.test.ts',
  'server/test/telemetry/',
  'server/test/deploy/monitoring.test.ts',
]
const MONEY = [
  'server/test/ledger/',
  'server/test/api/ledger/',
  'server/test/operations/',
  'server/test/api/operations/',
  'server/test/proof/simulation/',
  'server/test/properties/',
]

const ACCESS = [
  'server/src/access/',
  'server/test/api/keys/',
  'server/test/api/operator-tokens/',
  'server/test/api/companies/',
  'server/test/api/kernel/',
  'server/test/api/people/',
  'server/test/operations/',
  'server/test/api/operations/',
  'server/test/api/webhooks/endpoints.test.ts',
  'server/test/api/webhooks/event-stream-limits.test.ts',
]
const WEBHOOKS = [
  'server/src/webhooks/',
  'server/src/events/',
  'server/test/webhooks/',
  'server/test/api/webhooks/',
  'server/test/proof/simulation/',
]

const LIVE = ['server/test/live/', 'server/test/api/issuer-events/']

const TESTS = new Map<string, readonly string[]>([
  ['ledger', ['server/src/ledger/', ...MONEY, 'server/test/api/statements/', 'server/test/api/companies/']],
  ['operations', ['server/src/operations/', ...MONEY, ...LIVE]],
  [
    'funding',
    ['server/src/funding/', 'server/test/api/invoices/', 'server/test/api/kernel/strangers.test.ts', ...LIVE, ...MONEY],
  ],
  ['issuer', ['server/src/issuer/', 'server/test/api/invoices/', ...MONEY, ...LIVE]],
  ['access', ACCESS],
  ['companies', ACCESS],
  ['keys', ACCESS],
  ['operator-tokens', ACCESS],
  ['events', WEBHOOKS],
  ['webhooks', WEBHOOKS],
])

/** `src/ledger/accept.ts` and `sql/functions/ledger/seal_entries.sql` belong to the ledger. */
export function domainOf(file: string): string {
  return file.replace(/^(?:src|sql\/functions)\//, '').split('/')[0] ?? ''
}

/** Returns the test files, relative to the repository. */
export function testsOf(file: string): readonly string[] {
  const tests = TESTS.get(domainOf(file))
  if (tests === undefined) throw new Error(`No tests are named for the mutants of ${file}.`)
  return [...new Set([...tests, ...ALWAYS].flatMap((path) => (path.endsWith('/') ? listTests(path) : [path])))]
}

function listTests(folder: string): string[] {
  return readdirSync(new URL(`../${folder}`, SERVER), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .toSorted()
    .map((name) => folder + name)
}
