// What waits for an operator, and the money of the programme. The menu reads the same data.
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'

export function useProgrammeOverview() {
  return useData('programme', ['overview'], (_client, options) => api.admin.programme.overview(options), {
    isMoving: true,
  })
}
