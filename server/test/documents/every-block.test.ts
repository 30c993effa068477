// Every code block of README.md, sdk/README.md, examples/README.md and docs/ is checked by a test: it is run, it is the output
// of what is run, it is a file that is tested elsewhere, or it is valid. A new block that nothing checks fails here.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { type Block, fileOf, isOutput, listPages, readBlocks, readPage, root } from './blocks.ts'
import { GUIDES, WALKS } from './walks.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** server/test/webhooks/verifiers.test.ts runs these files with the vectors. */
const VERIFIERS = new Map(
  readdirSync(join(root, 'examples/verify')).map((name) => [
    read(`examples/verify/${name}`),
    name.split('.').at(-1) ?? '',
  ]),
)

/** The schemas of the blocks of JSON that no command prints, in their order. */
const SCHEMAS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'docs/issuer-protocol.md': [
    ['IssueRequest'],
    ['Done', 'Refused'],
    ['About'],
    ['IssuerHolderDetails'],
    ['HolderDetailsBody'],
    ['IssuerEvent'],
    ['IssuerEvent'],
  ],
}
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ ...(JSON.parse(read('issuer-openapi.json')) as object), $id: 'issuer' })

/** What every event has; a page that shows several shows it once. */
const ENVELOPE = { id: 'evt-1', createdAt: '2026-03-10T12:00:00Z', companyId: 'co_1' }

/** A block holds one value, or one a line. */
const parseValues = (text: string) =>
  (text.startsWith('{\n') ? [text] : text.trim().split('\n')).map((value) => JSON.parse(value) as object)

const isFollowed = (page: string) => page in WALKS || GUIDES.includes(page)

/** Returns how a block is checked, or undefined. */
function findCheck(block: Block, previous: Block | undefined): string | undefined {
  const { page, language, text } = block
  if (VERIFIERS.has(text)) return 'a verifier'
  if (language === 'ts' && page === 'sdk/README.md') return 'sdk-readme.test.ts'
  if (language === 'http' && page === 'docs/webhooks.md') return 'a vector'
  if (language === 'json' && page in SCHEMAS) return 'a schema'
  if (language === 'text' && page === 'docs/scaling.md') return 'the table of npm run capacity'
  if (!isFollowed(page)) return undefined
  return language === 'sh' || fileOf(block) !== undefined || isOutput(block, previous) ? 'followed' : undefined
}

describe.each(listPages())('%s', (page) => {
  const text = readPage(page)
  const blocks = readBlocks(page)

  test('a test checks every block', () => {
    // Counts fences that readBlocks does not see, such as indented ones.
    expect(text.match(/^[ >]*(?:```|~~~)/gm)?.length ?? 0).toBe(blocks.length * 2)
    const unchecked = blocks.filter((block, index) => findCheck(block, blocks[index - 1]) === undefined)
    expect(unchecked.map(({ line, language }) => `${page}:${line} (${language || 'no language'})`)).toEqual([])
  })
})

test('no command and no program names the port of the server, which the tests choose', () => {
  // Every page is followed on another port. Only what is printed, and prose, may show the default.
  const blocks = listPages()
    .flatMap((page) => readBlocks(page).map((block, index, all) => ({ block, previous: all[index - 1] })))
    .filter(({ block, previous }) => !isOutput(block, previous) && block.page !== 'docs/scaling.md')
  const named = blocks.filter(({ block }) => /\b8080\b/.test(block.text))
  expect(named.map(({ block }) => `${block.page}:${block.line}`)).toEqual([])
  for (const file of ['guides.test.ts', ...Object.values(WALKS)])
    expect(read(`server/test/documents/${file}`)).toMatch(/new Checkout\(\{\s*PORT: (?:'0'|String\(port\))/)
})

test('the tests named for the pages follow them', () => {
  const folder = 'server/test/documents'
  for (const [page, file] of Object.entries(WALKS)) expect(read(`${folder}/${file}`)).toContain(`follow('${page}'`)
  expect(read(`${folder}/guides.test.ts`)).toMatch(/test\.each\(GUIDES\)/)
  expect([...GUIDES, ...Object.keys(WALKS)].filter((page) => !listPages().includes(page))).toEqual([])
})

test('docs/scaling.md shows what npm run capacity prints', () => {
  const table = readBlocks('docs/scaling.md').find(({ language }) => language === 'text')
  const printed = execFileSync(process.execPath, ['--import', 'tsx', 'scripts/capacity.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(printed).toContain(`\n\n${table?.text}`)
})

test('docs/webhooks.md shows every verifier of examples/verify, each under the name of its language', () => {
  const shown = readBlocks('docs/webhooks.md').filter(({ text }) => VERIFIERS.has(text))
  expect(shown.map(({ text }) => VERIFIERS.get(text) ?? '').toSorted()).toEqual([...VERIFIERS.values()].toSorted())
  const names = { python: 'py', ruby: 'rb' } as Record<string, string>
  for (const { language, text } of shown) expect(names[language] ?? language).toBe(VERIFIERS.get(text))
})

test('docs/webhooks.md shows a request that is one of the vectors', () => {
  const request = readBlocks('docs/webhooks.md').find(({ language }) => language === 'http')
  const [head = '', ...body] = request?.text.split('\n\n') ?? []
  const { signed } = JSON.parse(read('vectors/webhook-signatures.json')) as { signed: Record<string, string>[] }
  const vector = signed.find((one) => one['body'] === body.join('').replaceAll('\n', ''))
  expect(head).toContain(`Service-Signature: ${vector?.['serviceSignature']}\n`)
  expect(head).toContain(`webhook-signature: ${vector?.['webhookSignature']}`)
  expect(head).toContain(`webhook-id: ${vector?.['id']}\nwebhook-timestamp: ${vector?.['timestamp']}\n`)
})

test.each(Object.entries(SCHEMAS))('the JSON of %s is valid', (page, schemas) => {
  const blocks = readBlocks(page).filter(({ language }) => language === 'json')
  expect(blocks).toHaveLength(schemas.length)
  for (const [index, { text }] of blocks.entries()) {
    const names = schemas[index] ?? []
    const validate = ajv.compile({ anyOf: names.map((name) => ({ $ref: `issuer#/components/schemas/${name}` })) })
    const envelope = names.includes('IssuerEvent') ? ENVELOPE : {}
    for (const value of parseValues(text)) {
      expect([value, validate({ ...envelope, ...value }) ? [] : validate.errors]).toEqual([value, []])
    }
  }
})
