// Fields for passwords: of any account, the current one and a new one. The hidden field has the e-mail address, so that password managers can keep a
// password with its account, and find it.
import '@mantine/core/styles/PasswordInput.layer.css'
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useRefused } from '~/ui/refusal.tsx'

interface Props {
  /** The name of the field in the API. */
  readonly param: string
  readonly email: string
  readonly value: string
  onChange(value: string): void
}

/** SPEC of the server: shorter passwords are refused. */
const PASSWORD_LENGTH_MIN = 12
const TOGGLE = { 'aria-label': 'Show or hide the password' }

export function PasswordField({ param, ...props }: PasswordInputProps & { param: string; label: string }) {
  const refused = useRefused(param, props)
  return (
    <PasswordInput
      {...props}
      {...refused}
      required
      visibilityToggleButtonProps={TOGGLE}
      // Mantine marks the frame of this input only.
      aria-invalid={refused.error !== undefined}
    />
  )
}

export function CurrentPassword({ param, email, value, onChange, why }: Props & { why?: string }) {
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        param={param}
        label="Current password"
        {...(why === undefined ? {} : { description: why })}
        autoComplete="current-password"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  )
}

export function NewPassword({ param, email, value, onChange }: Props) {
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        param={param}
        label="New password"
        description={`At least ${PASSWORD_LENGTH_MIN} characters. A few words are easy to remember and hard to guess.`}
        autoComplete="new-password"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  )
}
