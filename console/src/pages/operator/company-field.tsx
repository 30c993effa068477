// Chooses a company by the beginning of its name.
import type { Company } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'
import { searchOf, SUGGESTIONS_MAX, useTyped } from '~/features/cards/search.ts'
import { SearchSelect } from '~/ui/search-select.tsx'

interface Props {
  /** The name of the field in the API. */
  readonly param?: string
  readonly label: string
  readonly description?: string
  readonly value: string
  onChange(value: string): void
}

const toChoice = ({ id, name }: Company) => ({ value: id, label: name })

export function CompanyField({ value, onChange, ...field }: Props) {
  const [text, setText] = useState('')
  const typed = useTyped(text)
  const filter = { ...searchOf(typed), limit: SUGGESTIONS_MAX }
  const found = useData(
    'companies',
    ['search', filter],
    (_client, options) => api.admin.companies.list(filter, options),
    { keepsFormer: true },
  )
  const chosen = useData('companies', [value], (_client, options) => api.admin.companies.get(value, options), {
    isEnabled: value !== '',
  })
  return (
    <SearchSelect
      {...field}
      placeholder="Company name"
      value={value}
      chosen={value === '' || chosen.data === undefined ? undefined : toChoice(chosen.data)}
      found={(found.data?.data ?? []).map(toChoice)}
      isSearching={found.isFetching}
      search={setText}
      onChange={onChange}
    />
  )
}
