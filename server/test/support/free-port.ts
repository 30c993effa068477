// Finds a free port on loopback.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that a system gives to connections and to servers which leave the choice to it (from 32,768 on Linux, from
 * 49,152 elsewhere). A port from there could be given away between the search and the start of the server that needs it.
 */
const PORT_MIN = 12_000
const PORT_MAX = 32_000

/** Returns a port that was free a moment ago, and that the system gives to nobody who does not ask for it. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(PORT_MIN, PORT_MAX)
  return (await isFree(port)) ? port : findFreePort()
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
