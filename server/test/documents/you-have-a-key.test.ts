// Follows docs/you-have-a-key.md as somebody who has only an address and a key: another account, in an empty folder, with nothing of the
// checkout and no registry. The server and the key come from this checkout. Only the address, the key, the secret and the
// receiver's port are filled in.
import { createHmac } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { Stranger } from '../deploy/stranger.ts'
import { findFreePort } from '../support/free-port.ts'
import { Checkout } from './checkout.ts'
import { Walk } from './walk.ts'

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

/** As an operator does: a company, and a key for its developer. */
async function makeKey(operator: Walk): Promise<string> {
  const command = 'node server/bin/cardstock.mjs admin'
  const created = await operator.run(`${command} company create --name 'Acme Ltd' --kind corporate --json`)
  const { id } = JSON.parse(created) as { id: string }
  await operator.run(`${command} company verify ${id}`)
  const key = await operator.run(
    `${command} key create ${id} --environment sandbox --name laptop --scope all --json 2>/dev/null`,
  )
  return (JSON.parse(key) as { key: string }).key
}

test('the guide leads from an address and a key to a card and a verified webhook', async () => {
  const [port, receiverPort] = [await findFreePort(), await findFreePort()]
  const checkout = new Checkout({ PORT: String(port) })
  closing.push(() => checkout.remove())
  const server = new Walk(checkout)
  closing.push(() => server.close())
  await server.run('npm start')
  const operator = new Walk(checkout)
  closing.push(() => operator.close())
  const key = await makeKey(operator)

  const stranger = new Stranger({ npm_config_registry: 'http://127.0.0.1:9/' })
  closing.push(() => stranger.leave())
  const walk = new Walk(stranger)
  closing.push(() => walk.close())
  const secret = `whsec_${createHmac('sha256', key).update('cardstock listen').digest('base64')}`
  const outputs = await walk.follow('docs/you-have-a-key.md', (text) =>
    text
      .replaceAll('https://cards.example.com', `http://127.0.0.1:${port}`)
      .replaceAll('API_KEY=cstk_sandbox_…', `API_KEY=${key}`)
      .replaceAll('WEBHOOK_SECRET=whsec_…', `WEBHOOK_SECRET=${secret}`)
      .replaceAll(/\b3000\b/g, String(receiverPort)),
  )
  expect(outputs).toHaveLength(5)
  expect(outputs[0]).toMatch(new RegExp(`127\\.0\\.0\\.1:${port}[^]*sandbox`))
  expect(outputs[1]).toMatch(/available: +971\.95/)
})
