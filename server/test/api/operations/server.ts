// Starts the server of a file of tests of operations. The ledger must be right when the file has ended.
import { afterAll } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { expectCleanAudit } from '../../support/operations.ts'

export async function startServer(): Promise<TestServer> {
  const server = await TestServer.start()
  afterAll(async () => {
    await expectCleanAudit(server)
    await server.stop()
  })
  return server
}
