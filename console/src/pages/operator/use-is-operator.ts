// Whether the person may change things of the programme. Support may only read.
import { useWorkplace } from '~/api/company.tsx'

export function useIsOperator(): boolean {
  return useWorkplace().me.programmeRole === 'operator'
}
