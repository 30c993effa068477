// An amount field keeps what is being typed, and passes on what it means. When the field is left, it shows what was understood.
import { type ChangeEvent, useState } from 'react'
import { type TypedFormat, USD } from './amount.ts'

export interface TypedAmount {
  readonly value: string
  readonly error: string | undefined
  onChange(event: ChangeEvent<HTMLInputElement>): void
  onBlur(): void
}

/** `value` is the amount as the API writes it, or the text that is not one yet. */
export function useTypedAmount(
  value: string,
  onChange: (value: string) => void,
  { read, findProblem }: TypedFormat = USD,
): TypedAmount {
  const [typed, setTyped] = useState(value)
  // Something else has set the amount, such as a draft or a form that starts again.
  const shown = read(typed) === value ? typed : value
  return {
    value: shown,
    error: findProblem(shown),
    onChange: ({ currentTarget }) => {
      setTyped(currentTarget.value)
      onChange(read(currentTarget.value))
    },
    onBlur: () => setTyped(value),
  }
}
