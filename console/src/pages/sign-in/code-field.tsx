// The field for a second factor: six digits of the authenticator, or a recovery code.
import { TextInput } from '@mantine/core'

export function CodeField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextInput
      label="Code"
      description="Six digits from your authenticator, or one of your recovery codes."
      name="code"
      autoComplete="one-time-code"
      required
      data-autofocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
