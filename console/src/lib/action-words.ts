// Actions of the audit log as people read them.

import { capitalised } from './capitalised.ts'

/** Actions whose own words do not say what was done. */
const WORDS: Readonly<Record<string, string | undefined>> = {
  'card.number_page': 'Page with a card number opened',
  'company.capabilities': 'Company capabilities changed',
  'company.verification.approve': 'Company verification approved',
  'company.verification.reject': 'Company verification rejected',
  'holder.status': 'Holder status changed',
  'issuer.contradiction': 'Issuer contradicted itself',
  'notifications.changed': 'E-mail notifications changed',
}

/** `review.completed` becomes `Review completed`: as far as possible the log's own words, so that they can be searched for. */
export function describeAction(action: string): string {
  const words = WORDS[action]
  if (words !== undefined) return words
  return capitalised(action.replaceAll(/[._]/g, ' '))
}
