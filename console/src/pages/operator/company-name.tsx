// The name of a company by its id. Each name is read once, however often it stands on the page.
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'

export function useCompanyName(id: string): string {
  const query = useData('companies', [id], (_client, options) => api.admin.companies.get(id, options))
  return query.data?.name ?? id
}

export function CompanyName({ id }: { id: string }) {
  return useCompanyName(id)
}
