// Runs one seed: a world with faults, then a calm in which everything must end, and then the judge.
import { judgeSnapshot } from '../judge/judge.ts'
import { readSnapshot, type Snapshot } from '../judge/snapshot.ts'
import { installRandomness } from '../world/randomness.ts'
import { installTimers } from '../world/timers.ts'
import { Clients } from './clients.ts'
import type { SimDatabase } from './database.ts'
import { Jobs } from './jobs.ts'
import { type Options, optionsOf } from './options.ts'
import type { Plant } from './plants/plant.ts'
import { World } from './world.ts'

/** A seed takes a few thousand steps. More than this means that something never ends. */
const STEPS_MAX = 60_000
/** Everything must have ended this long after the last fault: longer than all attempts of a webhook together. */
const CALM_MS_MAX = 8 * 86_400_000

export interface SeedResult {
  readonly options: Options
  readonly violations: string[]
  /** The same for every run of a seed. */
  readonly digest: string
  /** A second run was made and compared. */
  readonly isRepeated: boolean
  readonly operations: number
  readonly steps: number
  readonly statements: number
  readonly simulatedMs: number
  readonly counts: ReadonlyMap<string, number>
  readonly trace: readonly string[] | undefined
}

export interface RunOptions {
  plant?: Plant
  keepsTrace?: boolean
}

export async function runSeed(
  database: SimDatabase,
  seed: number,
  { plant, keepsTrace = false }: RunOptions = {},
): Promise<SeedResult> {
  const options = { ...optionsOf(seed), ...plant?.options }
  await database.reset(seed)
  const world = new World(database, options, plant, keepsTrace)
  const restoreTimers = installTimers(world.time, { immediates: 'virtual' })
  const restoreRandomness = installRandomness(seed)
  const statements = database.statements
  try {
    const clients = new Clients(world)
    await clients.setUp()
    const isQuiet = await live(world, clients)
    const snapshot = await readSnapshot(database.main)
    countEnds(world, snapshot)
    const evidence = {
      clients: clients.requests,
      revocations: clients.revocations,
      walks: clients.walks,
      issuers: [world.issuer.book()],
      arrivals: world.receivers.arrivals,
      quotaOf: () => options.quota,
      isQuiet,
    }
    const violations = [
      ...judgeSnapshot(snapshot, evidence),
      ...world.issuer.violations,
      ...world.network.unknown.violations,
      ...world.failures,
    ]
    if (!isQuiet)
      violations.push(`the world did not come to rest within ${CALM_MS_MAX / 86_400_000} days and ${STEPS_MAX} steps`)
    noteSnapshot(world, snapshot)
    return {
      options,
      violations,
      digest: world.scheduler.digest(),
      isRepeated: false,
      operations: snapshot.operations.length,
      steps: world.scheduler.steps,
      statements: database.statements - statements,
      simulatedMs: world.time.nowMs - world.time.startMs,
      counts: world.counts,
      trace: world.scheduler.trace,
    }
  } finally {
    restoreRandomness()
    restoreTimers()
  }
}

/** Returns whether everything came to rest. */
async function live(world: World, clients: Clients): Promise<boolean> {
  const jobs = new Jobs(world)
  for (let slot = 0; slot < world.options.nodes; slot += 1) world.startNode(slot)
  planActions(world, clients)
  await runUntilQuiet(world, jobs, () => world.scheduler.nextAtMs() === undefined || !hasActions(world))
  world.isCalm = true
  const endMs = world.time.nowMs + CALM_MS_MAX
  const isLate = () => world.time.nowMs > endMs || world.scheduler.steps > STEPS_MAX
  for (let round = 0; round < 2; round += 1) {
    await runUntilQuiet(world, jobs, isLate)
    await jobs.runAll()
  }
  await runUntilQuiet(world, jobs, isLate)
  if (isLate()) return false
  await clients.walk()
  return true
}

const ACTION = 'client acts'
const actionsLeft = new WeakMap<World, number>()

function hasActions(world: World): boolean {
  return (actionsLeft.get(world) ?? 0) > 0
}

/** Requests come in bursts, with pauses of seconds or minutes between them. */
function planActions(world: World, clients: Clients): void {
  const { time, random, options } = world
  let atMs = time.nowMs + 500
  actionsLeft.set(world, options.actions)
  for (let number = 0; number < options.actions; number += 1) {
    atMs += random.clients.below(random.clients.weighted({ 60: 6, 1500: 3, 600_000: 1 }) as unknown as number)
    const run = async () => {
      actionsLeft.set(world, (actionsLeft.get(world) ?? 0) - 1)
      await clients.act()
    }
    time.add({ label: ACTION, life: undefined, atMs, run })
  }
}

/** Runs steps and jobs, and lets time pass when nothing is due. */
async function runUntilQuiet(world: World, jobs: Jobs, isOver: () => boolean): Promise<void> {
  const { time, scheduler, random } = world
  while (!isOver()) {
    if (random.scheduler.chance(0.85) && (await scheduler.runOne())) {
      await jobs.runIdle()
      continue
    }
    const due = await jobs.runDue()
    if (due === 'ran' || (await scheduler.runOne())) continue
    const next = earliest(due, scheduler.nextAtMs())
    if (next === undefined) return
    time.nowMs = Math.max(time.nowMs, next)
  }
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return Math.min(a, b)
}

/** Counts rare outcomes that only the database shows. */
function countEnds(world: World, { operations, invoices, audit, exchanges, deliveries }: Snapshot): void {
  for (const { status, failure_code } of operations) world.count(`operation ${failure_code ?? status}`)
  for (const { status } of invoices) world.count(`invoice ${status}`)
  for (const { action } of audit) if (action.startsWith('issuer.')) world.count(`event of the issuer: ${action}`)
  for (const { purpose, outcome } of exchanges) world.count(`exchange: ${purpose} ${outcome}`)
  for (const { status, attempt_count } of deliveries) {
    world.count(`delivery ${status}`)
    if (attempt_count > 2) world.count('delivery made after several attempts')
  }
}

/** Adds the rows at the end to the trace, because two runs of a seed must leave the same rows. */
function noteSnapshot({ scheduler }: World, { operations, entries, deliveries }: Snapshot): void {
  for (const { id, status } of operations) scheduler.note(`${id} ${status}`)
  for (const { number, kind, reference, balance } of entries)
    scheduler.note(`${number} ${kind} ${reference} ${balance}`)
  for (const { event_id, status, attempt_count } of deliveries) scheduler.note(`${event_id} ${status} ${attempt_count}`)
}
