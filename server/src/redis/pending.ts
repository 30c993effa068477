// The commands of a connection that wait for their replies, which come in the same order.
import { RedisError, type Reply } from './resp.ts'

export interface Pending {
  /** Returns the reply of a command that is sent now. */
  add(send: () => void): Promise<Reply>
  /** Gives a reply to the command that has waited longest. */
  take(reply: Reply): void
  /** Fails all commands, because the connection is gone. */
  fail(): void
}

/** A connection on which a command has waited this long is dead. */
export const SILENCE_MS_MAX = 1_000
/** More commands than this wait only on a server that does not answer. */
const PENDING_MAX = 10_000

interface Waiting {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
}

/** `onSilence` is called when no reply has come for too long. */
export function createPending(onSilence: () => void): Pending {
  let waiting: Waiting[] = []
  let silence: NodeJS.Timeout | undefined
  const restart = () => {
    clearTimeout(silence)
    silence = waiting.length === 0 ? undefined : setTimeout(onSilence, SILENCE_MS_MAX)
  }
  return {
    add: (send) =>
      new Promise<Reply>((resolve, reject) => {
        if (waiting.length >= PENDING_MAX) return reject(new Error('Redis does not answer'))
        waiting.push({ resolve, reject })
        if (silence === undefined) restart()
        send()
      }),
    take(reply) {
      const first = waiting.shift()
      restart()
      if (reply instanceof RedisError) first?.reject(reply)
      else first?.resolve(reply)
    },
    fail() {
      const failed = waiting
      waiting = []
      restart()
      for (const { reject } of failed) reject(new Error('Redis does not answer'))
    },
  }
}
