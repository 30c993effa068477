// The field for a second factor: six digits of the authenticator, or a recovery code.
import { TextField } from '~/ui/fields.tsx'

interface Props {
  readonly value: string
  readonly description?: string
  onChange(value: string): void
}

export function CodeField({
  value,
  description = 'Six digits from your authenticator, or one of your recovery codes.',
  onChange,
}: Props) {
  return (
    <TextField
      param="code"
      label="Code"
      description={description}
      name="code"
      autoComplete="one-time-code"
      required
      data-autofocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
