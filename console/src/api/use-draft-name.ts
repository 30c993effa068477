// The name of a draft, which belongs to the person who is signed in and to the company and the environment that they see.
import { useWorkplace } from './company.tsx'
import { draftName } from '~/lib/drafts.ts'

export function useDraftName(part: string): string {
  const { me, company, environment } = useWorkplace()
  return draftName({ personId: me.id, companyId: company?.id, environment }, part)
}
