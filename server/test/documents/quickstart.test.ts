// Follows docs/quickstart.md word for word in a fresh checkout, which has nothing but what a clone has and the packages that
// `npm ci` installs; .ci/run runs `npm ci` in a clean clone. Only the ports are replaced: the
// server's where it is shown, because commands must find it by themselves, and the receiver's.
import { afterAll, expect, test } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { Checkout } from './checkout.ts'
import { Walk } from './walk.ts'

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

test('the quickstart leads from a fresh checkout to a card and a verified webhook', async () => {
  const [port, receiverPort] = [await findFreePort(), await findFreePort()]
  const checkout = new Checkout({ PORT: String(port) }, { fresh: true })
  closing.push(() => checkout.remove())
  const walk = new Walk(checkout)
  closing.push(() => walk.close())
  const outputs = await walk.follow('docs/quickstart.md', (text) =>
    text
      .replaceAll(/^```text\n.*?^```$/gms, (shown) => shown.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`))
      .replaceAll(/\b3000\b/g, String(receiverPort)),
  )
  expect(outputs).toHaveLength(7)
})
