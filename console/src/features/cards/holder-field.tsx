// Chooses a holder by the beginning of a name or an e-mail address.
import type { Holder } from '@cardstock/sdk'
import { useState } from 'react'
import { useData } from '~/api/use-data.ts'
import { SearchSelect } from '~/ui/search-select.tsx'
import { searchOf, SUGGESTIONS_MAX, useTyped } from './search.ts'

interface Props {
  /** The name of the field in the API. */
  readonly param?: string
  readonly label?: string
  readonly description?: string
  readonly required?: boolean
  readonly value: string
  /** Only holders with this status are offered. */
  readonly status?: Holder['status']
  onChange(value: string): void
}

const toChoice = ({ id, name, email }: Holder) => ({ value: id, label: `${name} (${email})` })

export function HolderField({ label = 'Holder', value, status, onChange, ...field }: Props) {
  const [text, setText] = useState('')
  const typed = useTyped(text)
  const filter = { ...searchOf(typed), ...(status === undefined ? {} : { status }), limit: SUGGESTIONS_MAX }
  const found = useData('holders', ['search', filter], (client, options) => client.holders.list(filter, options), {
    keepsFormer: true,
  })
  const chosen = useData('holders', [value], (client, options) => client.holders.get(value, options), {
    isEnabled: value !== '',
  })
  return (
    <SearchSelect
      {...field}
      label={label}
      placeholder="Name or e-mail address"
      value={value}
      chosen={value === '' || chosen.data === undefined ? undefined : toChoice(chosen.data)}
      found={(found.data?.data ?? []).map(toChoice)}
      isSearching={found.isFetching}
      search={setText}
      onChange={onChange}
    />
  )
}
