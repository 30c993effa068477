// Signing in: e-mail and password, then the second factor if the account has one.
import '@mantine/core/styles/PasswordInput.layer.css'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { codeOf } from '../../api/errors.ts'
import type { Me } from '../../api/me.ts'
import { Problem } from '../../ui/notice.tsx'
import { CodeField } from './code-field.tsx'
import styles from './sign-in.module.css'

interface Props {
  /** Known when the same person signs in again. */
  readonly email?: string
  onDone(me: Me): void
}

export function SignInForm({ email: knownEmail = '', onDone }: Props) {
  const [email, setEmail] = useState(knownEmail)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string>()
  const { submit, isBusy, error, setError } = useSignIn({ email, password, code }, () => setCode(''), onDone)
  if (code !== undefined) {
    return (
      <CodeStep
        code={code}
        setCode={setCode}
        submit={submit}
        isBusy={isBusy}
        error={error}
        leave={() => {
          setCode(undefined)
          setError(undefined)
        }}
      />
    )
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        data-autofocus={knownEmail === '' ? true : undefined}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        data-autofocus={knownEmail === '' ? undefined : true}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Problem error={error} />
      <Button type="submit" loading={isBusy} fullWidth>
        Sign in
      </Button>
    </form>
  )
}

interface CodeStepProps {
  readonly code: string
  readonly isBusy: boolean
  readonly error: unknown
  setCode(code: string): void
  submit(event: FormEvent): void
  leave(): void
}

function CodeStep({ code, isBusy, error, setCode, submit, leave }: CodeStepProps) {
  return (
    <form className={styles.form} onSubmit={submit}>
      <CodeField value={code} onChange={setCode} />
      <Problem error={error} />
      <Button type="submit" loading={isBusy} fullWidth>
        Sign in
      </Button>
      <Button variant="subtle" color="gray" onClick={leave}>
        Use another account
      </Button>
    </form>
  )
}

interface Entered {
  readonly email: string
  readonly password: string
  readonly code: string | undefined
}

function useSignIn({ email, password, code }: Entered, askForCode: () => void, onDone: (me: Me) => void) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      onDone(await api.session.signIn({ email, password, ...(code === undefined ? {} : { code: code.trim() }) }))
    } catch (refusal) {
      if (codeOf(refusal) === 'second_factor_required' && code === undefined) askForCode()
      else setError(refusal)
    } finally {
      setBusy(false)
    }
  }
  return { submit: (event: FormEvent) => void submit(event), isBusy, error, setError }
}
