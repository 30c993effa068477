// Starts the server of a file of tests of invoices. The ledger must be right after every test.
import { afterAll, afterEach } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { expectSoundLedger } from '../../support/invoices.ts'

export async function startServer(): Promise<TestServer> {
  const server = await TestServer.start()
  afterAll(() => server.stop())
  afterEach(() => expectSoundLedger(server))
  return server
}
