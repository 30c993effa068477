// Runs a real Redis or Valkey on loopback.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { ensureProgram } from './programs.ts'
import { findFreePort } from './free-port.ts'
import { until } from './wait.ts'

/** Debian 13 has Valkey, and every Debian has Redis. */
export const redisServer =
  ensureProgram({ name: 'valkey-server', package: 'valkey-server' }) ??
  ensureProgram({ name: 'redis-server', package: 'redis-server' })

export class TestRedis {
  readonly port: number
  readonly #args: readonly string[]
  #child: ChildProcess | undefined

  private constructor(port: number, args: readonly string[]) {
    this.port = port
    this.#args = args
  }

  static async start(...args: string[]): Promise<TestRedis> {
    const redis = new TestRedis(await findFreePort(), args)
    await redis.open()
    return redis
  }

  /** Starts it again on the same port, empty. */
  async open(): Promise<void> {
    const common = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    this.#child = spawn(redisServer ?? '', [...common, ...this.#args], { stdio: 'ignore' })
    await until('Redis listens', () => canConnect(this.port))
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
