// The OpenAPI documents as a code generator reads them: openapi-typescript writes types from each of them, and strict
// TypeScript accepts the types and a program that uses them.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const generator = join(root, 'scripts/openapi-typescript/node_modules/openapi-typescript/bin/cli.js')
const compiler = join(root, 'node_modules/typescript/lib/tsc.js')
const folder = mkdtempSync(join(tmpdir(), 'cardstock-generated-types-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const DOCUMENTS = ['openapi', 'openapi-admin', 'issuer-openapi']

/** Returns what the program printed, also when it failed. */
async function run(...args: string[]): Promise<string> {
  const end = (result: { stdout: string; stderr: string }) => result.stdout + result.stderr
  return promisify(execFile)(process.execPath, args).then(end, end)
}

/** Uses a union of bodies, an event narrowed by its type, and a page of a list; and misuses each of them. */
const PROGRAM = `
import type { components, operations } from './openapi.ts'
type Schemas = components['schemas']

export const topUp: Schemas['OperationCreate'] = { type: 'topup', cardId: 'card_1', amount: '25.00' }
// @ts-expect-error A service has no card.
export const service: Schemas['OperationCreate'] = { type: 'service', productId: 'p', recipient: 'a', amount: '1', cardId: 'c' }

export function describe(event: Schemas['Event']): string {
  if (event.type === 'operation.failed') return event.data.failure?.code ?? ''
  if (event.type === 'card.created') return event.data.last4
  // @ts-expect-error Not every event is about a card.
  return event.data.last4
}

type Cards = operations['listCards']['responses'][200]['content']['application/json']
export const lastFour = (cards: Cards): string[] => cards.data.map(({ last4 }) => last4)
`

test('the generated types and a program that uses them compile', async () => {
  writeFileSync(join(folder, 'program.ts'), PROGRAM)
  await Promise.all(
    DOCUMENTS.map((name) => run(generator, join(root, `${name}.json`), '--output', join(folder, `${name}.ts`))),
  )
  const options = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--target', 'es2022', '--module', 'nodenext']
  const files = [...DOCUMENTS.map((name) => `${name}.ts`), 'program.ts']
  expect(await run(compiler, ...options, '--types', '', ...files.map((name) => join(folder, name)))).toBe('')
})
