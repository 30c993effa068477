// Branches that are rare in practice. The simulation must reach each of them, or it proves less than it says.

export const MARKS: readonly string[] = [
  'answer of the database lost',
  'batch sent again after a lost answer',
  'breaker of the issuer opened',
  'crash after a statement',
  'crash before a statement',
  'event of the issuer sent twice',
  'event of the issuer: issuer.completed',
  'exchange: look_up absent',
  'exchange: request not_sent',
  'fence refused a late request',
  'look-up did not see a fresh record',
  'look-up found nothing',
  'node suspended',
  'statements raced',
  'webhook endpoint disabled',
]
