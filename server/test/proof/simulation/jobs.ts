// Runs the background jobs of the nodes: when they have something to do, and now and then when they have not.
import { isUnavailable } from '../../../src/db/unavailable.ts'
import { Oracle } from './oracle.ts'
import type { SimNode, World } from './world.ts'

/** After a run that changed nothing, the job is tried again later and later: the issuer may be out of service. */
const PAUSE_FIRST_MS = 25
const PAUSE_MAX_MS = 60_000
/** How often a job runs that has nothing to do. */
const IDLE_RUN_SHARE = 0.01

interface Tried {
  dueMs: number
  pauseMs: number
  againAtMs: number
}

export class Jobs {
  readonly #world: World
  readonly #oracle: Oracle
  readonly #tried = new Map<string, Tried>()

  constructor(world: World) {
    this.#world = world
    this.#oracle = new Oracle(world.database)
  }

  /** Starts a job that has something to do. If there is none, returns when the next one will have something to do. */
  async runDue(): Promise<'ran' | number | undefined> {
    const { time } = this.#world
    let next: number | undefined
    const ready: string[] = []
    for (const [name, dueMs] of await this.#oracle.findDueJobs()) {
      const tried = this.#tried.get(name)
      const isSame = tried !== undefined && tried.dueMs === dueMs
      const atMs = isSame ? Math.max(dueMs, tried.againAtMs) : dueMs
      if (atMs <= time.nowMs) ready.push(name)
      else if (next === undefined || atMs < next) next = atMs
      if (!isSame) this.#tried.set(name, { dueMs, pauseMs: PAUSE_FIRST_MS, againAtMs: 0 })
    }
    if (ready.length === 0) return next
    const name = this.#world.random.scheduler.pick(ready)
    this.#postpone(name)
    await this.#run(name)
    return 'ran'
  }

  #postpone(name: string): void {
    const tried = this.#tried.get(name)
    if (tried === undefined) return
    tried.againAtMs = this.#world.time.nowMs + tried.pauseMs
    tried.pauseMs = Math.min(tried.pauseMs * 2, PAUSE_MAX_MS)
  }

  async #run(name: string): Promise<void> {
    const free = this.#world.readyNodes().filter((node) => !node.running.has(name))
    if (free.length === 0) return
    await this.start(this.#world.random.scheduler.pick(free), name)
  }

  /** Runs any job on any node, whether or not there is something to do. */
  async runIdle(): Promise<void> {
    const { random } = this.#world
    if (!random.scheduler.chance(IDLE_RUN_SHARE)) return
    const nodes = this.#world.readyNodes()
    if (nodes.length === 0) return
    const node = random.scheduler.pick(nodes)
    await this.start(node, random.scheduler.pick([...node.parts.jobs.keys()]))
  }

  /** Runs every job on every node, at the end. */
  async runAll(): Promise<void> {
    for (const node of this.#world.readyNodes()) {
      for (const name of node.parts.jobs.keys()) await this.start(node, name)
    }
  }

  async start(node: SimNode, name: string): Promise<void> {
    const job = node.parts?.jobs.get(name)
    const life = this.#world.nodes[node.slot]
    if (job === undefined || life !== node || node.running.has(name)) return
    this.#world.scheduler.note(`${node.name} job ${name}`)
    node.running.add(name)
    const ended = () => void node.running.delete(name)
    const failed = (error: unknown) => {
      ended()
      if (!isUnavailable(error)) this.#world.failures.push(`the job ${name} failed: ${(error as Error).stack}`)
    }
    await this.#world.time.enter(node, () => void job.run().then(ended, failed))
  }
}
