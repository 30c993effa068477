// Fields for the current password and for a new one. The hidden field has the e-mail address, so that password managers can keep a password with
// its account, and find it.
import '@mantine/core/styles/PasswordInput.layer.css'
import { PasswordInput } from '@mantine/core'

interface Props {
  readonly email: string
  readonly value: string
  onChange(value: string): void
}

/** SPEC of the server: shorter passwords are refused. */
const PASSWORD_LENGTH_MIN = 12
const TOGGLE = { 'aria-label': 'Show or hide the password' }

export function CurrentPassword({ email, value, onChange, why }: Props & { why?: string }) {
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="Current password"
        {...(why === undefined ? {} : { description: why })}
        autoComplete="current-password"
        required
        value={value}
        visibilityToggleButtonProps={TOGGLE}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  )
}

export function NewPassword({ email, value, onChange }: Props) {
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="New password"
        description={`At least ${PASSWORD_LENGTH_MIN} characters. A few words are easy to remember and hard to guess.`}
        autoComplete="new-password"
        required
        minLength={PASSWORD_LENGTH_MIN}
        value={value}
        visibilityToggleButtonProps={TOGGLE}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  )
}
