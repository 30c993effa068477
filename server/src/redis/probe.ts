// Asks a Redis or Valkey once whether it answers, for the doctor.
import { createPending, SILENCE_MS_MAX } from './pending.ts'
import { createReplyReader, encodeCommand } from './resp.ts'
import { openSocket, parseTarget } from './target.ts'

/** Returns why it does not answer or refuses us, or undefined. */
export function probeRedis(url: string, timeoutMs = SILENCE_MS_MAX): Promise<string | undefined> {
  const target = parseTarget(url)
  const read = createReplyReader()
  return new Promise((resolve) => {
    const socket = openSocket(target, () => void greet().catch((error: unknown) => socket.destroy(error as Error)))
    const end = (reason?: string) => {
      clearTimeout(timer)
      resolve(reason)
      socket.destroy()
      pending.fail()
    }
    const timer = setTimeout(() => end(`no answer within ${timeoutMs} ms`), timeoutMs)
    const pending = createPending(() => end('no answer'))
    const greet = async () => {
      for (const command of [...target.greeting, ['PING']])
        await pending.add(() => socket.write(encodeCommand(command)))
      end()
    }
    socket.on('data', (bytes) => {
      try {
        for (const reply of read(bytes)) pending.take(reply)
      } catch (error) {
        socket.destroy(error as Error)
      }
    })
    socket.on('error', (error) => end(error.message))
    socket.on('close', () => end('the connection was closed'))
  })
}
