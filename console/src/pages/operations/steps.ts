// The timeline of an operation.
import type { Operation } from '@cardstock/sdk'
import type { Step } from '../../ui/timeline.tsx'

export function stepsOf(operation: Operation): Step[] {
  const accepted: Step = {
    title: 'Accepted, funds reserved',
    tone: 'green',
    shape: 'check',
    at: operation.createdAt,
  }
  return [accepted, ...NEXT[operation.status]]
}

const SENT: Step = { title: 'Sent to the issuer', tone: 'green', shape: 'check' }

const NEXT: Readonly<Record<Operation['status'], readonly Step[]>> = {
  queued: [{ title: 'Waits to be sent to the issuer', tone: 'grey', shape: 'ring' }],
  processing: [SENT, { title: 'Waits for the answer', tone: 'blue', shape: 'half' }],
  completed: [SENT, { title: 'Completed, funds captured', tone: 'green', shape: 'check' }],
  failed: [{ title: 'Failed, funds released', tone: 'red', shape: 'cross' }],
  manual_review: [SENT, { title: 'Outcome unknown, in review', tone: 'amber', shape: 'triangle' }],
}
