// `cardstock mock` in a process of its own: any HTTP client gets the answers of the document, without a server.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Cardstock } from '@cardstock/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { cardstock, start } from './run.ts'

/** Starts the command and returns the address that it prints. */
async function startMock(...args: string[]): Promise<string> {
  const child = start(['mock', '--port', '0', '--json', ...args])
  onTestFinished(() => {
    child.kill()
  })
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  return (JSON.parse(line.toString()) as { url: string }).url
}

test('it answers requests with the examples of the document, and refuses those that are not allowed', async () => {
  const baseUrl = await startMock()
  const api = new Cardstock({ baseUrl, apiKey: 'cstk_sandbox_x' })
  const order = { type: 'topup', cardId: 'card_1', amount: '10.00' } as const
  expect(await api.operations.create(order, { idempotencyKey: 'k' })).toMatchObject({ type: 'topup', status: 'queued' })
  expect(await api.operations.create(order, { idempotencyKey: 'k' }).withResponse()).toMatchObject({ isReplay: true })
  await expect(api.operations.create({ ...order, amount: 'ten' })).rejects.toMatchObject({ param: 'amount' })
  expect((await fetch(`${baseUrl}/api/v1/balance`)).status).toBe(401)
  expect((await fetch(`${baseUrl}//`)).status).toBe(404)
})

test('it takes another document', async () => {
  const baseUrl = await startMock('--document', fileURLToPath(new URL('../../../openapi-admin.json', import.meta.url)))
  const answer = await fetch(`${baseUrl}/admin/v1/companies`, { headers: { authorization: 'Bearer x' } })
  expect(await answer.json()).toMatchObject({ data: [{ id: expect.stringMatching(/^co_/) as string }] })
})

test('it says what is wrong with its options', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => {
    taken.close()
  })
  await once(taken, 'listening')
  const port = String((taken.address() as AddressInfo).port)
  expect(await cardstock(['mock', '--port', port])).toMatchObject({
    code: 2,
    err: expect.stringContaining('EADDRINUSE'),
  })
  expect(await cardstock(['mock', '--port', 'x'])).toMatchObject({ code: 2, err: expect.stringContaining('65535') })
  const file = fileURLToPath(new URL('../../../package.json', import.meta.url))
  const wrong = await cardstock(['mock', '--document', file])
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('is not an OpenAPI document') })
})
