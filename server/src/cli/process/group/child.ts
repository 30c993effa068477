// One process of a group: waits for its task, serves, and stops when the supervisor says so or is gone.
import cluster from 'node:cluster'
import type { App } from '../../../app/app.ts'
import { type Config, type Environ, readConfig } from '../../../config/config.ts'
import { reachDatabase } from '../../../db/reach.ts'
import { createLog, type Log } from '../../../lib/log.ts'
import { runServer } from '../run-server.ts'
import { createStop, type Undo, unwind } from '../stop.ts'
import { createSupervisorLink, send, type SupervisorLink } from './link.ts'
import type { Task, ToChild } from './messages.ts'

/** The supervisor has the same settings. If they are wrong, it says so before it takes this process into its group. */
export function serveAsChild(environ: Environ): void {
  try {
    awaitTask(readConfig(environ))
  } catch (error) {
    void fail(error, [])
  }
}

function awaitTask(config: Config): void {
  const log = createLog({ level: config.logLevel })
  const undo: Undo = []
  const link = createSupervisorLink()
  // A terminal and a service manager send their signal to every process of a group, and the supervisor sends its own.
  const stop = createStop(undo, log, { graceMs: config.drainMs, ignoresRepeated: true })
  let app: App | undefined
  // Whoever reads what a start prints may close the pipe afterwards, as `npm start | head` does. The server goes on.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  // A supervisor that was killed reads no message. Then the line closes, and this process ends.
  cluster.worker?.on('error', () => undefined)
  process.on('message', (message: ToChild) => {
    if (message.type === 'stop') stop(0)
    else if (message.type === 'wake') app?.wake()
    else if (message.type === 'answer') link.receive(message)
    else if (message.type === 'collect') void collect(app, message.id)
    else {
      start(config, message.task, { log, undo, link }).then(
        (started) => (app = started),
        (error: unknown) => fail(error, undo),
      )
    }
  })
  send({ type: 'idle' })
}

async function start(
  config: Config,
  { role, connection, isFirst, ports, sharesLimits }: Task,
  { log, undo, link }: { log: Log; undo: Undo; link: SupervisorLink },
): Promise<App> {
  const { admin } = config.http
  const http = {
    ...config.http,
    port: ports.port,
    admin: admin && { ...admin, port: ports.adminPort ?? admin.port },
  }
  const app = await runServer(
    { ...config, http },
    {
      connection: connection ?? (await reachDatabase(config.secrets.databaseUrl ?? '')),
      log,
      undo,
      role,
      // Requests must not reach the worker, which has no routes for them.
      listens: role === 'api',
      prepares: isFirst,
      bucketStore: sharesLimits ? link.bucketStore : undefined,
      readMetrics: link.readMetrics,
      onAccepted: link.notifyAccepted,
    },
  )
  send({ type: 'ready' })
  return app
}

async function collect(app: App | undefined, id: number): Promise<void> {
  const metrics = app === undefined ? [] : await app.metrics.registry.getMetricsAsJSON().catch(() => [])
  send({ type: 'collected', id, metrics })
}

async function fail(error: unknown, undo: Undo): Promise<void> {
  try {
    await unwind(undo)
  } finally {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    send({ type: 'failed', name, message }, () => process.exit(1))
  }
}
