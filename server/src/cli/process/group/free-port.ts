// Finds a port that nobody listens on. Another program may take it before it is used; then the start fails and says so.
import { createServer } from 'node:net'

export async function findFreePort(host: string): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
