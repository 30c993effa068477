// The timeline of an operation: what happened, and what comes next while it is open.
import type { Operation, OperationStep } from '@cardstock/sdk'
import type { Step } from '~/ui/timeline.tsx'

export function stepsOf(operation: Operation, happened: readonly OperationStep[]): Step[] {
  return [...happened.map((step) => toStep(step, happened)), ...NEXT[operation.status]]
}

type Words = Pick<Step, 'title' | 'tone' | 'shape'>

const HAPPENED: Readonly<Record<OperationStep['step'], Words>> = {
  accepted: { title: 'Accepted, funds held', tone: 'green', shape: 'check' },
  sent: { title: 'Sent to the issuer', tone: 'green', shape: 'check' },
  answered: { title: 'The issuer answered', tone: 'grey', shape: 'dot' },
  looked_up: { title: 'Checked with the issuer', tone: 'grey', shape: 'dot' },
  completed: { title: 'Completed, funds charged', tone: 'green', shape: 'check' },
  failed: { title: 'Failed, funds released', tone: 'red', shape: 'cross' },
  manual_review: { title: 'Outcome unknown, in review', tone: 'amber', shape: 'triangle' },
}

const OUTCOMES: Readonly<Record<NonNullable<OperationStep['outcome']>, string>> = {
  confirmed: 'Carried out.',
  declined: 'Declined.',
  not_sent: 'Nothing was sent.',
  absent: 'The issuer has no record of it and will not carry it out.',
  unknown: 'The issuer has not confirmed whether it was carried out.',
}

/** What a call is called whose answer says nothing: nobody answered, or the answer left it open. */
const UNANSWERED: Readonly<Partial<Record<OperationStep['step'], string>>> = {
  answered: 'No clear answer from the issuer',
  looked_up: 'Checked with the issuer, no clear answer',
}

function titleOf({ step, outcome }: OperationStep, happened: readonly OperationStep[]): string {
  const { title } = HAPPENED[step]
  if (outcome === 'unknown') return UNANSWERED[step] ?? title
  if (step === 'answered' && outcome === 'not_sent') return 'The issuer could not be reached'
  // It was taken up, and then nothing left this server.
  if (step === 'sent' && happened.some((other) => other.step === 'answered' && other.outcome === 'not_sent'))
    return 'Picked up for sending'
  return title
}

function toStep(step: OperationStep, happened: readonly OperationStep[]): Step {
  const { at, outcome } = step
  const look = outcome === 'unknown' ? { tone: 'amber' as const, shape: 'triangle' as const } : HAPPENED[step.step]
  const title = titleOf(step, happened)
  return { ...look, title, at, ...(outcome === undefined ? {} : { detail: OUTCOMES[outcome] }) }
}

const NEXT: Readonly<Record<Operation['status'], readonly Step[]>> = {
  queued: [{ title: 'Waiting to be sent to the issuer', tone: 'grey', shape: 'ring' }],
  processing: [{ title: 'Waiting for the issuer’s answer', tone: 'blue', shape: 'half' }],
  completed: [],
  failed: [],
  manual_review: [{ title: 'Waiting for a decision', tone: 'grey', shape: 'ring' }],
}
