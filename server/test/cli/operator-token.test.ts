// `cardstock operator-token`: the rotation that docs/operating.md describes, with the file that the commands read.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CreatedOperatorToken, OperatorToken, Page } from '@cardstock/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestServer } from '../support/harness.ts'
import { cardstock } from './in-process.ts'

let server: TestServer
let folder: string
let file: string
beforeAll(async () => {
  server = await TestServer.start()
  folder = mkdtempSync(join(tmpdir(), 'cardstock-cli-'))
  file = join(folder, 'credentials.json')
  writeFileSync(
    file,
    JSON.stringify({ baseUrl: server.baseUrl, operatorToken: server.operatorToken, demo: { companyId: 'co_1' } }),
  )
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const run = (...args: string[]) => cardstock(['operator-token', ...args], { DATA_DIR: folder })
const kept = () => JSON.parse(readFileSync(file, 'utf8')) as { operatorToken: string; demo: object }

test('a token is created, listed without its secret, and revoked', async () => {
  const made = await run('create', '--name', 'Grace Hopper')
  expect(made).toMatchObject({ code: 0, err: expect.stringContaining('shown once') })
  const id = /^id: +(key_\w+)$/m.exec(made.out)?.[1] ?? ''
  const token = /^token: +(cstk_operator_\w+)$/m.exec(made.out)?.[1] ?? ''
  expect((await server.get('/admin/v1/companies', token)).status).toBe(200)
  const listed = await run('list')
  expect(listed.out).toMatch(new RegExp(`^${id} +cstk_operator_\\w{4}…\\w{4} .* Grace Hopper$`, 'm'))
  expect(listed.out).not.toContain(token)
  expect(await run('revoke', id)).toMatchObject({ code: 0, out: `${id} is revoked.\n` })
  expect((await server.get('/admin/v1/companies', token)).status).toBe(401)
})

test('--save replaces the token in the file, which the next commands use, and keeps the rest of it', async () => {
  const machine = await run('create', '--name', 'This server', '--save', '--json')
  const made = JSON.parse(machine.out) as Omit<CreatedOperatorToken, 'token'>
  expect(machine.out).not.toContain(kept().operatorToken)
  expect(kept()).toMatchObject({ baseUrl: server.baseUrl, demo: { companyId: 'co_1' } })
  expect(kept().operatorToken).not.toBe(server.operatorToken)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { data } = JSON.parse((await run('list', '--json')).out) as Page<OperatorToken>
  const old = data.find(({ name }) => name === 'test')
  expect(await run('revoke', old?.id ?? '')).toMatchObject({ code: 0 })
  // The saved token is the last one now.
  const last = await run('revoke', made.id)
  expect(last).toMatchObject({ code: 1, out: '', err: expect.stringContaining('Create another token first') })
  expect(last.err).toContain('last_operator_token')
})

test('--save for another server creates nothing, and a name is required', async () => {
  const environ = {
    DATA_DIR: folder,
    CARDSTOCK_URL: 'http://127.0.0.1:9',
    CARDSTOCK_OPERATOR_TOKEN: kept().operatorToken,
  }
  const ended = await cardstock(['operator-token', 'create', '--name', 'x', '--save'], environ)
  expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('does not belong to http://127.0.0.1:9') })
  expect(await run('create')).toMatchObject({ code: 2, err: expect.stringContaining('--name') })
})
