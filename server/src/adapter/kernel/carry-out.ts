// Carries out a request at the provider, step by step. Each call is stored before it is made and never made twice: what may have been sent
// is only looked up, and what a look-up cannot settle waits for a person.
import type { Db } from '../../db/pool.ts'
import type { Transact } from '../../db/transaction.ts'
import type { FenceAnswer, RequestAnswer } from '../../issuer/http/protocol.ts'
import type { Clock } from '../../lib/clock.ts'
import { must } from '../../lib/invariant.ts'
import type { Action, CardProvider, CardRequest, Found, Next, Reading, Sent } from '../provider.ts'
import { toAnswer } from './answer.ts'
import { historyOf, toRequest } from './state.ts'
import { storeObjects } from './objects/store.ts'
import {
  beginStep,
  endRequest,
  findState,
  insertReading,
  listSteps,
  parkTask,
  postponeTask,
  resetAttempts,
  type RequestState,
  type StepEnd,
  type StepRow,
  takeSubjects,
  updateStep,
} from './queries.ts'
import { reportOutcome } from './report.ts'

/** After each of these a call whose outcome is unknown is looked up again. Then a person decides. */
const LOOK_UPS_MS = [1_000, 5_000, 30_000, 120_000, 600_000]
/** A request that had to wait for another one, or for the provider, is tried again after this, doubled each time. */
const RETRY_MIN_MS = 250
const RETRY_MAX_MS = 60_000
/** A provider that cannot be reached for this long is refused, if nothing was sent: the server releases the funds. */
const UNREACHABLE_MAX_MS = 5 * 60_000
/** More steps than any request has. A provider that never ends is a bug, and must not call for ever. */
const STEPS_MAX = 20
/** What the protocol allows for a message. */
const MESSAGE_LENGTH_MAX = 500

export interface KernelDeps {
  readonly db: Db
  readonly transact: Transact
  readonly clock: Clock
  readonly provider: CardProvider
}

/** `later`: it goes on by itself. `person`: somebody has to decide. */
export type Carried = FenceAnswer | 'later' | 'person'

/**
 * Goes on with a request as far as possible now. The caller has the lease of its task. `isLate` if nobody waits for the answer: then the
 * event about it is sent at once.
 */
export async function carryOut(deps: KernelDeps, token: string, { isLate }: { isLate: boolean }): Promise<Carried> {
  for (let count = 0; count < STEPS_MAX; count += 1) {
    const state = must(await findState(deps.db, token))
    if (state.answer !== null) return state.answer
    const request = toRequest(state)
    const steps = await listSteps(deps.db, [token])
    const next = decide(deps, state, request, steps)
    const open = steps.find((known) => known.state === 'sending' || known.state === 'unknown')
    if (open !== undefined && (next.kind !== 'step' || next.step.name !== open.name))
      return leaveOpen(deps, token, open)
    if (next.kind !== 'step') {
      await end(deps, state, toAnswer(state, next), isLate)
      continue
    }
    const { step } = next
    const subjects = deps.provider.subjectsOf(request)
    if (!(await takeSubjects(deps.db, token, subjects, { now: deps.clock.now() }))) return postpone(deps, state)
    const went = step.type === 'reading' ? await read(deps, state, step) : await act(deps, state, step, steps)
    if (went !== 'on') return went
  }
  throw new Error(`The request ${token} did not end after ${STEPS_MAX} steps.`)
}

function decide({ provider, clock }: KernelDeps, state: RequestState, request: CardRequest, steps: StepRow[]): Next {
  const isUntouched = steps.every((step) => step.type === 'reading' || step.state === 'not_sent')
  const isLong = clock.now().getTime() - state.created_at.getTime() > UNREACHABLE_MAX_MS
  const last = steps.findLast(({ state: ended }) => ended === 'not_sent')
  if (isUntouched && isLong && last !== undefined) {
    const message = `Nothing was sent, because the provider could not be used: ${last.reason}`
    return { kind: 'refused', code: 'provider_unavailable', message: message.slice(0, MESSAGE_LENGTH_MAX) }
  }
  return provider.next(request, historyOf(steps))
}

/**
 * The provider goes on without a step that may have been carried out, such as after a setting was changed that the step needs. An answer to the
 * request would be a guess, so a person decides.
 */
async function leaveOpen({ db, clock }: KernelDeps, token: string, { name }: StepRow): Promise<'person'> {
  const reason = `${name}: It is not known whether this was carried out, and with its present settings the provider does not look it up.`
  await parkTask(db, token, reason, clock.now())
  return 'person'
}

async function read(deps: KernelDeps, state: RequestState, step: Reading): Promise<'on' | Carried> {
  const result = await step.read()
  if (result.kind === 'unknown') return postpone(deps, state)
  await insertReading(deps.db, { token: state.token, name: step.name }, toEnd(result), deps.clock.now())
  return 'on'
}

async function act(deps: KernelDeps, state: RequestState, step: Action, steps: StepRow[]): Promise<'on' | Carried> {
  const { db, clock } = deps
  const { token } = state
  const known = steps.find(({ name }) => name === step.name)
  const isFirst = known === undefined || known.state === 'not_sent' || known.state === 'again'
  if (!isFirst) return lookUp(deps, state, step, known)
  // Somebody else was faster, or the request was fenced.
  if (!(await beginStep(db, { token, name: step.name, shows: step.shows }, clock.now()))) return 'on'
  const sent = await step.send()
  await store(deps, state, step, sent)
  if (sent.kind === 'done' || sent.kind === 'refused') return 'on'
  if (sent.kind === 'not_sent') return postpone(deps, state)
  // The first look-up.
  return later(deps, token, 1, must(LOOK_UPS_MS[0]))
}

async function lookUp(deps: KernelDeps, state: RequestState, step: Action, known: StepRow): Promise<'on' | Carried> {
  const found = await step.lookUp()
  if (found.kind === 'done' || found.kind === 'refused') {
    await store(deps, state, step, found)
    return 'on'
  }
  const reason = `${known.reason ?? 'The call was interrupted.'} The look-up says: ${found.reason}`
  const pauseMs = LOOK_UPS_MS[state.attempts]
  if (pauseMs !== undefined) return later(deps, state.token, state.attempts + 1, pauseMs)
  await parkTask(deps.db, state.token, `${step.name}: ${reason}`, deps.clock.now())
  return 'person'
}

/** Stores the outcome of a step with what exists at the provider now, in one transaction. */
async function store(deps: KernelDeps, state: RequestState, step: Action, outcome: Sent | Found): Promise<void> {
  if (outcome.kind === 'absent') return
  const now = deps.clock.now()
  await deps.transact(async (tx) => {
    const changed = await updateStep(tx, { token: state.token, name: step.name }, toEnd(outcome), now)
    if (changed === 0) return
    // The next step has its own tries.
    if (outcome.kind === 'done' || outcome.kind === 'refused') await resetAttempts(tx, state.token)
    if (outcome.kind === 'done') await storeObjects(tx, state, outcome.objects ?? [], now)
  })
}

async function end(deps: KernelDeps, state: RequestState, answer: RequestAnswer, isLate: boolean): Promise<void> {
  const now = deps.clock.now()
  await deps.transact(async (tx) => {
    const isEnded = await endRequest(tx, state.token, answer)
    if (isEnded) await reportOutcome(tx, state, answer, { isLate, now })
  })
}

async function postpone(deps: KernelDeps, { token, attempts }: RequestState): Promise<'later'> {
  return later(deps, token, attempts + 1, Math.min(RETRY_MIN_MS * 2 ** Math.min(attempts, 10), RETRY_MAX_MS))
}

async function later({ db, clock }: KernelDeps, token: string, attempts: number, pauseMs: number): Promise<'later'> {
  const now = clock.now()
  await postponeTask(db, token, { dueAt: new Date(now.getTime() + pauseMs), now, attempts })
  return 'later'
}

function toEnd(outcome: Exclude<Sent | Found, { kind: 'absent' }>): StepEnd {
  const blank = { facts: null, code: null, message: null, reason: null }
  switch (outcome.kind) {
    case 'done':
      return { ...blank, state: 'done', facts: outcome.facts }
    case 'refused':
      return { ...blank, state: 'refused', code: outcome.code, message: outcome.message }
    case 'not_sent':
    case 'unknown':
      return { ...blank, state: outcome.kind, reason: outcome.reason }
  }
}
