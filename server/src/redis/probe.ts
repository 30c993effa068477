// Asks a Redis or Valkey once whether it answers and takes our script, for the doctor.
import { createClients } from './client.ts'
import { openConnection } from './connection.ts'

/** Returns why it does not answer or refuses us, or undefined. */
export function probeRedis(url: string, deadlineMs?: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const onOpen = () => {
      connection.close()
      resolve(undefined)
    }
    const connection = openConnection(createClients(url)(), { onOpen, onLost: resolve, deadlineMs })
  })
}
