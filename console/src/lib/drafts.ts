// Drafts: what somebody typed and has not sent yet, and the idempotency keys of their forms. The name of a draft contains the person, the company and
// the environment, so that nothing typed in the sandbox is sent in live, and nobody sees what somebody else typed.
import { keep, keptNames } from './kept.ts'

export interface DraftOwner {
  readonly personId: string
  /** Undefined for people who work for the programme and belong to no company. */
  readonly companyId: string | undefined
  readonly environment: string
}

/** Ids have no slash. */
const startOf = (personId: string) => `draft/${personId}/`

/** `part` names the form, what it is about, and the field. */
export function draftName({ personId, companyId = '', environment }: DraftOwner, part: string): string {
  return `${startOf(personId)}${companyId}/${environment}/${part}`
}

/** Names that the console gave to drafts before they had an owner. A tab may still have some. */
const FORMER = ['text.', 'form.']

/** Removes the drafts of this tab: all of them, or those of everybody else. */
export function dropDrafts(options: { exceptOf?: string } = {}): void {
  for (const name of keptNames('tab')) {
    const isDraft = name.startsWith('draft/') || FORMER.some((start) => name.startsWith(start))
    const isTheirs = options.exceptOf !== undefined && name.startsWith(startOf(options.exceptOf))
    if (isDraft && !isTheirs) keep('tab', name, undefined)
  }
}
