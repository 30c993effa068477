// Signing in: e-mail and password, then the second factor if the account has one; or a passkey, which is both.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { asHarmless, codeOf, listOf } from '~/api/errors.ts'
import type { Me } from '~/api/me.ts'
import { signInWithPasskey } from '~/features/passkeys/device.ts'
import { PasskeyButton } from '~/features/passkeys/passkey-button.tsx'
import { usePasskeyAutofill } from '~/features/passkeys/use-autofill.ts'
import { TextField } from '~/ui/fields.tsx'
import { Form } from '~/ui/form.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Refused } from '~/ui/refusal.tsx'
import { CodeField } from './code-field.tsx'
import { PasswordField } from './password-fields.tsx'
import styles from './sign-in.module.css'

interface Props {
  /** Given when the same person signs in again. */
  readonly email?: string
  onDone(me: Me): void
}

export function SignInForm({ email: knownEmail = '', onDone }: Props) {
  const [email, setEmail] = useState(knownEmail)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string>()
  const [methods, setMethods] = useState<readonly string[]>([])
  const askForMore = (accepted: readonly string[]) => {
    setMethods(accepted)
    setCode('')
  }
  const { submit, isBusy, error, setError } = useSignIn({ email, password, code }, askForMore, onDone)
  usePasskeyAutofill(onDone, setError)
  if (code !== undefined) {
    return (
      <CodeStep
        code={code}
        methods={methods}
        onDone={onDone}
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
    <Form error={error} submit={submit} className={styles.form}>
      <TextField
        param="email"
        label="E-mail"
        type="email"
        name="email"
        // The browser offers passkeys here.
        autoComplete="username webauthn"
        required
        value={email}
        data-autofocus={knownEmail === '' ? true : undefined}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordField
        param="password"
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        data-autofocus={knownEmail === '' ? undefined : true}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Refused />
      <Button type="submit" loading={isBusy} fullWidth>
        Sign in
      </Button>
      <PasskeyButton label="Sign in with a passkey" ask={signInWithPasskey} onDone={onDone} />
    </Form>
  )
}

interface CodeStepProps {
  readonly code: string
  /** What the account accepts: `totp`, `recovery_code`, `passkey`. */
  readonly methods: readonly string[]
  onDone(me: Me): void
  readonly isBusy: boolean
  readonly error: unknown
  setCode(code: string): void
  submit(): void
  leave(): void
}

function CodeStep({ code, methods, isBusy, error, onDone, setCode, submit, leave }: CodeStepProps) {
  const byCode = methods.some((method) => method !== 'passkey')
  return (
    <Form error={error} submit={submit} className={styles.form}>
      {byCode ? <CodeField value={code} onChange={setCode} /> : <OnlyPasskey />}
      <Refused />
      {byCode ? (
        <Button type="submit" loading={isBusy} fullWidth>
          Sign in
        </Button>
      ) : null}
      {methods.includes('passkey') ? (
        <PasskeyButton label="Use a passkey" ask={signInWithPasskey} onDone={onDone} />
      ) : null}
      <Button variant="subtle" color="gray" onClick={leave}>
        Use another account
      </Button>
    </Form>
  )
}

function OnlyPasskey() {
  return (
    <Notice tone="blue">
      <p>
        This account has a passkey. Use it instead of the password. If you have lost it, ask an owner of your company,
        or the operator.
      </p>
    </Notice>
  )
}

interface Entered {
  readonly email: string
  readonly password: string
  readonly code: string | undefined
}

function useSignIn(
  { email, password, code }: Entered,
  askForMore: (methods: readonly string[]) => void,
  onDone: (me: Me) => void,
) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = async () => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      onDone(await api.session.signIn({ email, password, ...(code === undefined ? {} : { code: code.trim() }) }))
    } catch (refusal) {
      if (codeOf(refusal) === 'second_factor_required' && code === undefined) askForMore(listOf(refusal, 'methods'))
      else setError(asHarmless(refusal))
    } finally {
      setBusy(false)
    }
  }
  return { submit: () => void submit(), isBusy, error, setError }
}
