// One worker process of the webhook benchmark: the server's deliverer and nothing else. Takes the connection as JSON in an
// argument.
import type { Connection } from '../../../server/src/db/pool.ts'
import { loadDeliverer } from '../compiled.ts'

const server = await loadDeliverer()
const log = server.createLog({ level: 'warn' })
const db = server.createPool(JSON.parse(process.argv[2] ?? '{}') as Connection, { size: 10, onError: () => undefined })
const agent = server.createAgent({
  allowPrivateAddresses: true,
  ownHosts: [],
  resolve: server.createNameResolver().resolve,
})
const deliverer = server.createDeliverer({
  db,
  clock: server.systemClock,
  log,
  openAgent: () => agent,
  secretBox: server.createSecretBox(() => [server.deriveKey(Buffer.alloc(32, 7), 'webhook secrets')]),
  showOperation: server.toOperation,
})
for (const job of deliverer.jobs) server.startLoop(job, log)
process.send?.('ready')

// Exit with the benchmark.
process.on('disconnect', () => process.exit())
