// Keeps a connection to a Redis or Valkey open. While there is none, commands fail at once. The package could connect again itself, but
// not after a silence, and its timer would hold up a process that stops.
import type { Log } from '../lib/log.ts'
import { type Client, createClients } from './client.ts'
import { type Connection, openConnection } from './connection.ts'

export interface Redis {
  isOpen(): boolean
  run: Connection['run']
  close(): void
}

/** Between two attempts to connect. */
const RETRY_MS_MIN = 100
const RETRY_MS_MAX = 5_000

const AWAY = 'Redis does not answer. Each process counts rate limits alone until it does.'

export function openRedis(url: string, log: Log): Redis {
  const createClient = createClients(url)
  const state = { isOpen: false, isTold: false, retryMs: RETRY_MS_MIN }
  let retry: NodeJS.Timeout | undefined

  const open = (): Connection => openConnection(createClient(), { onOpen, onLost })
  const onOpen = () => {
    if (state.isTold) log.info('Redis answers again. Rate limits are shared.')
    Object.assign(state, { isOpen: true, isTold: false, retryMs: RETRY_MS_MIN })
  }
  const onLost = (reason: string) => {
    if (!state.isTold) log.warn({ reason }, AWAY)
    Object.assign(state, { isOpen: false, isTold: true })
    retry = setTimeout(() => (connection = open()), state.retryMs).unref()
    state.retryMs = Math.min(RETRY_MS_MAX, state.retryMs * 2)
  }
  let connection = open()
  return {
    isOpen: () => state.isOpen,
    async run<Reply>(command: (client: Client) => Promise<Reply>) {
      if (!state.isOpen) throw new Error('Redis does not answer')
      return connection.run(command)
    },
    close() {
      state.isOpen = false
      clearTimeout(retry)
      connection.close()
    },
  }
}
