// Runs the commands of docs/live.md: the reference issuer, a server and a company, in three terminals. Only the port
// numbers are replaced, because other servers may run on this machine.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findFreePort } from '../support/live.ts'
import { blocksOf, root, Terminals } from './terminals.ts'

let terminals: Terminals | undefined
afterAll(() => terminals?.close())

test('the commands of docs/live.md fund an account, issue a card and reconcile', async () => {
  const [port, issuerPort, controlPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const page = readFileSync(join(root, 'docs/live.md'), 'utf8')
    .replaceAll('127.0.0.1:8090', `127.0.0.1:${issuerPort}`)
    .replaceAll('127.0.0.1:8091', `127.0.0.1:${controlPort}`)
  terminals = new Terminals({
    PORT: String(port),
    ISSUER_PORT: String(issuerPort),
    ISSUER_CONTROL_PORT: String(controlPort),
    ISSUER_EVENTS_URL: `http://127.0.0.1:${port}`,
  })
  const [secret = '', issuer = '', server = ''] = blocksOf(page, 'Live, in three terminals')
  await terminals.start(secret + issuer, /listens on/)
  await terminals.start(secret + server, /listens on/)
  const [, , funded, issued, compared] = await terminals.run([secret, ...blocksOf(page, 'The cycle')])
  expect(funded).toContain('"available":"492.50"')
  expect(issued).toMatch(/"type":"topup".*"type":"service"/s)
  expect(compared).toContain('"merchant":"Books"')
  expect(compared).toMatch(/no difference|0 differences|agree/i)
})
