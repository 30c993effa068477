// One worker process of the webhook benchmark: the server's deliverer and nothing else. Takes the connection as JSON in an
// argument.
import { createPool, type Connection } from '../../../server/src/db/pool.ts'
import { systemClock } from '../../../server/src/lib/clock.ts'
import { deriveKey } from '../../../server/src/lib/digest.ts'
import { createLog } from '../../../server/src/lib/log.ts'
import { toOperation } from '../../../server/src/operations/schema.ts'
import { createAgent } from '../../../server/src/webhooks/connector.ts'
import { createNameResolver } from '../../../server/src/webhooks/resolver.ts'
import { createDeliverer } from '../../../server/src/webhooks/deliver.ts'
import { createSecretBox } from '../../../server/src/webhooks/secrets.ts'
import { startLoop } from '../../../server/src/worker/loop.ts'

const log = createLog({ level: 'warn' })
const db = createPool(JSON.parse(process.argv[2] ?? '{}') as Connection, { size: 10, onError: () => undefined })
const agent = createAgent({ allowPrivateAddresses: true, ownHosts: [], resolve: createNameResolver().resolve })
const deliverer = createDeliverer({
  db,
  clock: systemClock,
  log,
  openAgent: () => agent,
  secretBox: createSecretBox(() => [deriveKey(Buffer.alloc(32, 7), 'webhook secrets')]),
  showOperation: toOperation,
})
for (const job of deliverer.jobs) startLoop(job, log)
process.send?.('ready')

// Exit with the benchmark.
process.on('disconnect', () => process.exit())
