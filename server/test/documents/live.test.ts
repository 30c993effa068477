// Follows docs/live.md: the reference issuer, a server and a company, in three terminals. Only the port numbers are replaced,
// because other servers may run on this machine.
import { afterAll, expect, test } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { Checkout } from './checkout.ts'
import { Walk } from './walk.ts'

let checkout: Checkout | undefined
let walk: Walk | undefined
afterAll(async () => {
  await walk?.close()
  checkout?.remove()
})

test('the commands of docs/live.md fund an account, issue a card, reconcile and let the issuer misbehave', async () => {
  const [port, issuerPort, controlPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  checkout = new Checkout({
    PORT: String(port),
    ISSUER_PORT: String(issuerPort),
    ISSUER_CONTROL_PORT: String(controlPort),
  })
  walk = new Walk(checkout)
  const outputs = await walk.follow('docs/live.md', (text) =>
    text
      .replaceAll('127.0.0.1:8090', `127.0.0.1:${issuerPort}`)
      .replaceAll('127.0.0.1:8091', `127.0.0.1:${controlPort}`),
  )
  const printed = outputs.join('\n')
  expect(printed).toContain('"available":"492.50"')
  expect(printed).toMatch(/"type":"topup".*"type":"service"/s)
  expect(printed).toContain('"merchant":"Books"')
  expect(printed).toMatch(/no difference|0 differences|agree/i)
})
