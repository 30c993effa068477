// What the tests of webhooks begin with: a server, and receivers that are closed after each test.
import { afterAll, afterEach } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'

export async function startServer(...options: Parameters<typeof TestServer.start>): Promise<TestServer> {
  const server = await TestServer.start(...options)
  afterAll(() => server.stop())
  return server
}

/** Returns the function that starts a receiver. */
export function prepareReceivers(): typeof startReceiver {
  const open: Receiver[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((receiver) => receiver.close()))
  })
  return async (answer) => {
    const receiver = await startReceiver(answer)
    open.push(receiver)
    return receiver
  }
}
