// What a person decides about a request whose outcome a look-up could not settle. It is stored with who decided it and why.
import type { Transact } from '../../../db/transaction.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { CardProvider } from '../../provider.ts'
import { type Decision, insertDecision, lockTask, resumeTask, updateUnknownStep } from './queries.ts'
import { historyOf, toRequest } from '../state.ts'
import { findState, listSteps, type StepRow } from '../queries.ts'

export interface Decided {
  readonly token: string
  readonly decision: Decision
  readonly by: string
  readonly reason: string
}

export type DecisionResult =
  | { readonly kind: 'decided'; readonly step: string }
  | { readonly kind: 'not_found' }
  /** It goes on by itself, or has an answer. The message says what to do. */
  | { readonly kind: 'refused'; readonly message: string }

interface Deps {
  readonly transact: Transact
  readonly clock: Clock
  readonly provider: CardProvider
}

/** One transaction with the lock of the task, so that of two people one decides. */
export function decide({ transact, clock, provider }: Deps, made: Decided): Promise<DecisionResult> {
  const { token, decision } = made
  return transact(async (tx) => {
    const task = await lockTask(tx, token)
    const state = task && (await findState(tx, token))
    if (task === undefined || state === undefined) return { kind: 'not_found' }
    const refuse = (message: string) => ({ kind: 'refused', message }) as const
    if (task.waiting_since === null) return refuse('The request does not wait for a person: it goes on by itself.')
    const steps = await listSteps(tx, [token])
    const open = steps.find(({ state: now }) => now === 'unknown' || now === 'sending')
    if (open === undefined) return refuse('No step of the request is open.')
    const now = clock.now()
    if (decision === 'send_again') {
      const reason = whyNotAgain(provider, toRequest(state), steps, open, now)
      if (reason !== undefined) return refuse(reason)
    }
    if (decision !== 'look_up') {
      await updateUnknownStep(tx, { token, name: open.name }, decision === 'send_again' ? 'again' : 'refused')
    }
    await insertDecision(tx, { ...made, step: open.name, now })
    await resumeTask(tx, token, now)
    return { kind: 'decided', step: open.name }
  })
}

/** Sending again is safe only with a key that the provider remembers, or if a second one changes nothing. Returns why it is not. */
function whyNotAgain(
  provider: CardProvider,
  request: ReturnType<typeof toRequest>,
  steps: readonly StepRow[],
  open: StepRow,
  now: Date,
): string | undefined {
  const next = provider.next(request, historyOf(steps))
  const step =
    next.kind === 'step' && next.step.type === 'action' && next.step.name === open.name ? next.step : undefined
  if (step?.isRepeatable === 'always') return undefined
  if (step === undefined || !step.isRepeatable) {
    return `The provider takes no idempotency key for the step ${open.name}, so it could be carried out twice.`
  }
  const ageMs = now.getTime() - open.sent_at.getTime()
  if (ageMs < provider.keyLifetimeMs) return undefined
  return `The provider may have forgotten the idempotency key, which was sent at ${open.sent_at.toISOString()}.`
}
