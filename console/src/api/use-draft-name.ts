// The name of a draft of the person who is signed in, in the company and the environment that they look at.
import { useWorkplace } from './company.tsx'
import { draftName } from '~/lib/drafts.ts'

export function useDraftName(part: string): string {
  const { me, company, environment } = useWorkplace()
  return draftName({ personId: me.id, companyId: company?.id, environment }, part)
}
