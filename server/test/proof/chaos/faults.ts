// The faults of the chaos. Each breaks something, waits, and mends it again.
import { readFileSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { must } from '../../../src/lib/invariant.ts'
import type { Mode } from '../../../src/adapter/reference/behaviour.ts'
import type { FaultMode, FaultProxy } from '../../support/fault-proxy.ts'
import { until } from '../../support/wait.ts'
import { HALF_FAULTS } from './half-faults.ts'
import { type Ground, ISSUER_TIMEOUT_MS, SERVER_NAMES, type ServerName } from './ground.ts'

export interface Fault {
  readonly kind: string
  /** Whether a short run has time for it. */
  readonly isCheap: boolean
  run(ground: Ground): Promise<void>
}

/** Long enough for the deadlines of connections and requests to matter. */
const HOLD_MS = 3_000
/** Longer than the lease of a request to the issuer. */
const SUSPEND_MS = 2 * ISSUER_TIMEOUT_MS
const MISBEHAVING_REQUESTS = 20

const NETWORK: readonly [string, FaultMode][] = [
  ['delay', { delayMs: 300 }],
  ['drop', 'drop'],
  ['half-open', 'half-open'],
  ['swallowed answers', 'swallow-answers'],
  ['reset in mid-answer', 'cut-answers'],
  ['reset', 'reset'],
]

const MODES: readonly Mode[] = ['hang', 'act_then_hang', 'act_then_fail', 'act_then_garbage', 'act_then_cut', 'refuse']

const pick = <Item>(items: readonly Item[]): Item => must(items[randomInt(items.length)])

/** The places where the network can fail, by what they are called in the report. */
const PROXIES: Readonly<Record<string, (ground: Ground) => FaultProxy>> = {
  database: (ground) => ground.server(pick(SERVER_NAMES)).database,
  issuer: (ground) => ground.issuerProxy,
  receiver: (ground) => ground.receiverProxy,
  clients: (ground) => must(ground.server(pick(['all', 'api'] as const)).clients),
}

function networkFaults(): Fault[] {
  return Object.entries(PROXIES).flatMap(([place, find]) =>
    NETWORK.map(([name, mode]) => ({
      kind: `${place}: ${name}`,
      isCheap: place === 'issuer' && name === 'reset in mid-answer',
      async run(ground) {
        const proxy = find(ground)
        await proxy.setMode(mode)
        await delay(HOLD_MS)
        await proxy.setMode('pass')
      },
    })),
  )
}

function killFault(name: ServerName, isCheap: boolean): Fault {
  return {
    kind: `SIGKILL ${name}`,
    isCheap,
    async run(ground) {
      await ground.kill(name)
      await ground.start(name)
    },
  }
}

function suspendFault(name: ServerName): Fault {
  return {
    kind: `SIGSTOP ${name} past the lease`,
    isCheap: false,
    async run(ground) {
      ground.signal(name, 'SIGSTOP')
      await delay(SUSPEND_MS)
      ground.signal(name, 'SIGCONT')
    },
  }
}

const databaseStop: Fault = {
  kind: 'PostgreSQL stopped in immediate mode',
  isCheap: true,
  async run(ground) {
    const file = join(ground.folder, 'postgres', 'cluster', 'postmaster.pid')
    const findPid = () => {
      try {
        return Number(readFileSync(file, 'utf8').split('\n')[0])
      } catch {
        return undefined
      }
    }
    const before = findPid()
    // What `pg_ctl stop -m immediate` sends.
    if (before !== undefined) process.kill(before, 'SIGQUIT')
    await until('PostgreSQL runs again', () => findPid() !== undefined && findPid() !== before)
  },
}

const exhaustion: Fault = {
  kind: 'connections exhausted',
  isCheap: false,
  async run(ground) {
    const clients: pg.Client[] = []
    try {
      for (;;) {
        const client = new pg.Client(ground.connection)
        client.on('error', () => {})
        await client.connect()
        clients.push(client)
      }
    } catch {
      // No connection is left. The servers lose theirs and cannot open others.
    }
    await clients[0]
      ?.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cardstock'`)
      .catch(() => undefined)
    await delay(HOLD_MS)
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  },
}

const misbehaviour: Fault = {
  kind: 'issuer misbehaves',
  isCheap: false,
  async run(ground) {
    for (const kind of ['issue', 'service']) {
      await ground.control('behaviour', { kind, mode: pick(MODES), times: MISBEHAVING_REQUESTS })
    }
    await delay(HOLD_MS)
    for (const kind of ['issue', 'service']) await ground.control('behaviour', { kind, mode: 'normal' })
  },
}

const clockSkew: Fault = {
  kind: 'clock 20 s ahead',
  isCheap: false,
  async run(ground) {
    const name = pick(SERVER_NAMES)
    const { process: shifted } = ground.server(name)
    shifted?.signal('SIGUSR2')
    await delay(HOLD_MS)
    shifted?.signal('SIGUSR2')
  },
}

const fullDisk: Fault = {
  kind: 'disk full',
  isCheap: false,
  async run({ disk }) {
    await disk?.fill()
    await delay(HOLD_MS)
    disk?.clear()
  },
}

/** Every fault that this machine allows. */
export function listFaults(ground: Ground): Fault[] {
  return [
    killFault('all', true),
    killFault('api', false),
    killFault('worker', false),
    suspendFault('all'),
    suspendFault('worker'),
    databaseStop,
    exhaustion,
    misbehaviour,
    ...HALF_FAULTS,
    clockSkew,
    ...networkFaults(),
    ...(ground.disk === undefined ? [] : [fullDisk]),
  ]
}
