// Follows docs/go-live-tron.md: a simulated TRON node, the issuer, a server and a company, in four terminals. The port numbers are replaced,
// because other servers may run on this machine, and so are the wallet and its addresses, which the first command prints.
import { HDKey } from '@scure/bip32'
import { afterAll, expect, test } from 'vitest'
import { firstAddresses, parseXpub } from '../../src/adapter/tron/xpub.ts'
import { findFreePort } from '../support/free-port.ts'
import { Checkout } from './checkout.ts'
import { Walk } from './walk.ts'

let checkout: Checkout | undefined
let walk: Walk | undefined
afterAll(async () => {
  await walk?.close()
  checkout?.remove()
})

test('the commands of docs/go-live-tron.md credit a deposit once, list what belongs to no invoice, and find the books equal', async () => {
  const [port, issuerPort, controlPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const [nodePort, transferPort] = [await findFreePort(), await findFreePort()]
  checkout = new Checkout({
    PORT: String(port),
    ISSUER_PORT: String(issuerPort),
    ISSUER_CONTROL_PORT: String(controlPort),
  })
  const xpub = HDKey.fromMasterSeed(Buffer.from('cardstock simulate tron, a wallet of nobody')).derive(
    "m/44'/195'/0'",
  ).publicExtendedKey
  walk = new Walk(checkout)
  const outputs = await walk.follow('docs/go-live-tron.md', (text) =>
    text
      .replaceAll('simulate tron\n', `simulate tron --port ${nodePort} --control-port ${transferPort}\n`)
      .replaceAll('127.0.0.1:8095', `127.0.0.1:${nodePort}`)
      .replaceAll('127.0.0.1:8096', `127.0.0.1:${transferPort}`)
      .replaceAll('127.0.0.1:8090', `127.0.0.1:${issuerPort}`)
      .replaceAll('127.0.0.1:8091', `127.0.0.1:${controlPort}`)
      .replaceAll('=XPUB', `=${xpub}`)
      .replaceAll('=ADDRESSES', `=${firstAddresses(parseXpub(xpub)).join(',')}`)
      .replaceAll("'ADDRESSES'", `'${firstAddresses(parseXpub(xpub)).join(',')}'`),
  )
  const printed = outputs.join('\n')
  expect(printed).toContain(`TRON_XPUB=${xpub}`)
  expect(printed).toContain('"available":"492.50"')
  expect(printed).toContain('"state": "dismissed"')
  expect(printed).toContain('"differences": []')
  expect(printed).toMatch(/no difference|0 differences|agree/i)
})
