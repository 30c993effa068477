// What every state of every object looks like. A colour means the same everywhere.

/** Grey: waiting or over. Blue: under way. Green: done. Red: refused. Amber: needs a person. Violet: held. */
export type Tone = 'grey' | 'blue' | 'green' | 'red' | 'amber' | 'violet'
export type Shape = 'ring' | 'half' | 'check' | 'cross' | 'triangle' | 'diamond' | 'snow' | 'dot' | 'square' | 'back'

interface Look {
  readonly word: string
  readonly tone: Tone
  readonly shape: Shape
}

export const STATUSES: Readonly<Record<string, Look | undefined>> = {
  // Operations and invoices
  queued: { word: 'Queued', tone: 'grey', shape: 'ring' },
  creating: { word: 'Creating', tone: 'grey', shape: 'ring' },
  processing: { word: 'Processing', tone: 'blue', shape: 'half' },
  completed: { word: 'Completed', tone: 'green', shape: 'check' },
  failed: { word: 'Failed', tone: 'red', shape: 'cross' },
  manual_review: { word: 'In review', tone: 'amber', shape: 'triangle' },
  held: { word: 'Held', tone: 'violet', shape: 'diamond' },
  // Cards and holders
  pending: { word: 'Pending', tone: 'blue', shape: 'half' },
  active: { word: 'Active', tone: 'green', shape: 'check' },
  frozen: { word: 'Frozen', tone: 'blue', shape: 'snow' },
  blocked: { word: 'Blocked', tone: 'red', shape: 'cross' },
  inactive: { word: 'Inactive', tone: 'grey', shape: 'square' },
  expired: { word: 'Expired', tone: 'grey', shape: 'dot' },
  closed: { word: 'Closed', tone: 'grey', shape: 'square' },
  // Payments
  settled: { word: 'Settled', tone: 'green', shape: 'check' },
  declined: { word: 'Declined', tone: 'red', shape: 'cross' },
  reversed: { word: 'Reversed', tone: 'violet', shape: 'back' },
  // Companies, keys, endpoints and invitations
  approved: { word: 'Approved', tone: 'green', shape: 'check' },
  rejected: { word: 'Rejected', tone: 'red', shape: 'cross' },
  suspended: { word: 'Suspended', tone: 'red', shape: 'cross' },
  enabled: { word: 'Enabled', tone: 'green', shape: 'check' },
  disabled: { word: 'Disabled', tone: 'grey', shape: 'square' },
  revoked: { word: 'Revoked', tone: 'grey', shape: 'cross' },
}
