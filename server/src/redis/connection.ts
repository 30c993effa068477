// One connection to a Redis or Valkey that opens itself again. While it is not open, commands fail at once.
import type { Socket } from 'node:net'
import type { Log } from '../lib/log.ts'
import { createPending, SILENCE_MS_MAX } from './pending.ts'
import { createReplyReader, encodeCommand, type Reply } from './resp.ts'
import { openSocket, parseTarget } from './target.ts'

export interface Redis {
  isOpen(): boolean
  /** Sends a command. It rejects with RedisError if the server refuses, and with another error if there is no answer. */
  send(...parts: readonly string[]): Promise<Reply>
  close(): void
}

/** Between two attempts to connect. */
const RETRY_MS_MIN = 100
const RETRY_MS_MAX = 5_000

const AWAY = 'Redis does not answer. Each process counts rate limits alone until it does.'

interface Options {
  readonly log: Log
  /** Runs on each new connection before it counts as open. */
  prepare(redis: Redis): Promise<unknown>
}

export function openRedis(url: string, { log, prepare }: Options): Redis {
  const target = parseTarget(url)
  const pending = createPending(() => socket?.destroy(new Error('no answer')))
  const state = { isOpen: false, isTold: false, isClosed: false, retryMs: RETRY_MS_MIN }
  let socket: Socket | undefined
  let retry: NodeJS.Timeout | undefined

  const lose = (reason: string) => {
    socket = undefined
    pending.fail()
    if (state.isClosed) return
    if (!state.isTold) log.warn({ reason }, AWAY)
    state.isTold = true
    state.isOpen = false
    retry = setTimeout(open, state.retryMs).unref()
    state.retryMs = Math.min(RETRY_MS_MAX, state.retryMs * 2)
  }
  const greet = async () => {
    for (const command of target.greeting) await redis.send(...command)
    await prepare(redis)
    if (state.isTold) log.info('Redis answers again. Rate limits are shared.')
    Object.assign(state, { isOpen: true, isTold: false, retryMs: RETRY_MS_MIN })
  }
  const open = () => {
    const own = openSocket(target, () => void greet().catch((error: unknown) => own.destroy(error as Error)))
    socket = own
    const read = createReplyReader()
    let reason = 'the connection was closed'
    own.setTimeout(SILENCE_MS_MAX, () => {
      if (!state.isOpen) own.destroy(new Error('no answer'))
    })
    own.on('data', (bytes) => {
      try {
        for (const reply of read(bytes)) pending.take(reply)
      } catch (error) {
        own.destroy(error as Error)
      }
    })
    own.on('error', (error) => (reason = error.message))
    own.on('close', () => lose(reason))
  }
  const redis: Redis = {
    isOpen: () => state.isOpen,
    send: async (...parts) => {
      const own = socket
      if (own === undefined) throw new Error('Redis does not answer')
      return pending.add(() => own.write(encodeCommand(parts)))
    },
    close() {
      state.isClosed = true
      clearTimeout(retry)
      socket?.destroy()
    },
  }
  open()
  return redis
}
