// Follows docs/go-live-lithic.md: a simulated Lithic, a server that starts the issuer, and a company, in three terminals. The port numbers are replaced,
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

test('the commands of docs/go-live-lithic.md issue a card, show its payment, find the books equal, and close it', async () => {
  const [port, issuerPort, controlPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const [lithicPort, paymentPort] = [await findFreePort(), await findFreePort()]
  checkout = new Checkout({
    PORT: String(port),
    ISSUER_PORT: String(issuerPort),
    ISSUER_CONTROL_PORT: String(controlPort),
  })
  walk = new Walk(checkout)
  const outputs = await walk.follow('docs/go-live-lithic.md', (text) =>
    text
      .replaceAll('simulate lithic\n', `simulate lithic --port ${lithicPort} --control-port ${paymentPort}\n`)
      .replaceAll('127.0.0.1:8097', `127.0.0.1:${lithicPort}`)
      .replaceAll('127.0.0.1:8098', `127.0.0.1:${paymentPort}`)
      .replaceAll('127.0.0.1:8091', `127.0.0.1:${controlPort}`),
  )
  const printed = outputs.join('\n')
  expect(printed).toContain('LITHIC_API_KEY=simulated-lithic-key')
  expect(printed).toContain('postal_code')
  expect(printed).toContain('"status":"completed"')
  expect(printed).toContain('"amount":"-12.30"')
  expect(printed).toContain(
    '1 cards compared with the provider, 0 differences. On cards: 37.70 by the books, 37.70 at the provider.',
  )
  expect(printed).toContain('"status":"closed"')
})
