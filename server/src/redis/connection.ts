// One connection to a Redis or Valkey, from its opening to its loss. A connection that does not answer is lost: the package would
// wait for an answer for ever.
import { withDeadline } from '../lib/deadline.ts'
import { type Client, START_MS_MAX } from './client.ts'
import { takeToken } from './script.ts'

export interface Connection {
  /** Sends a command. Rejects if the server refuses it, and if the connection is lost. */
  run<Reply>(command: (client: Client) => Promise<Reply>): Promise<Reply>
  close(): void
}

interface Listener {
  /** Commands may be sent from now on. */
  onOpen(): void
  /** Called once, unless the connection was closed before. */
  onLost(reason: string): void
  /** How long the opening may take. */
  deadlineMs?: number | undefined
}

/** A connection on which a command has waited this long is dead. */
const SILENCE_MS_MAX = 1_000
/** More commands than this wait only on a server that does not answer. */
const PENDING_MAX = 10_000

export function openConnection(client: Client, { onOpen, onLost, deadlineMs = START_MS_MAX }: Listener): Connection {
  let isOver = false
  let waiting = 0
  let silence: NodeJS.Timeout | undefined
  const restartSilence = () => {
    clearTimeout(silence)
    silence = isOver || waiting === 0 ? undefined : setTimeout(() => lose('no answer'), SILENCE_MS_MAX)
  }
  const close = () => {
    isOver = true
    restartSilence()
    client.destroy()
  }
  const lose = (reason: string) => {
    if (isOver) return
    close()
    onLost(reason)
  }
  // Without a listener an error would end the process.
  client.on('error', (error: Error) => lose(error.message))
  // A client that is destroyed while it connects connects all the same.
  client.on('connect', () => {
    if (isOver) client.destroy()
  })
  client.unref()
  withDeadline(start(client), deadlineMs).then(
    () => isOver || onOpen(),
    (error: Error) => lose(error.message),
  )
  return {
    async run(command) {
      if (isOver || waiting >= PENDING_MAX) throw new Error('Redis does not answer')
      waiting += 1
      if (silence === undefined) restartSilence()
      try {
        return await command(client)
      } finally {
        waiting -= 1
        restartSilence()
      }
    },
    close,
  }
}

/** The script is sent now, so that no request has to, and so that a server that refuses it counts as one that is away. */
async function start(client: Client): Promise<void> {
  await client.connect()
  await client.scriptLoad(takeToken.SCRIPT)
}
