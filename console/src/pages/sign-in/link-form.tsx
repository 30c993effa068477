// What a one-time link leads to: a first sign-in, an invitation, or a new password.
import type { OneTimeLink as Link } from '@cardstock/sdk/console'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import type { Me } from '~/api/me.ts'
import { NewPassword } from '~/features/sign-in/password-fields.tsx'
import { TextField } from '~/ui/fields.tsx'
import { Form } from '~/ui/form.tsx'
import { Notice, Problem } from '~/ui/notice.tsx'
import { Refused } from '~/ui/refusal.tsx'
import { Door } from '~/features/sign-in/door.tsx'
import { SignInForm } from '~/features/sign-in/sign-in-form.tsx'
import { useSubmit } from '~/features/sign-in/use-submit.ts'
import { FirstCredential } from './first-credential.tsx'
import styles from '~/features/sign-in/sign-in.module.css'

interface Props {
  readonly link: Link
  readonly token: string
  onDone(me: Me): void
}

export function LinkForm({ link, token, onDone }: Props) {
  // The link does not say whether the address has an account, so the person chooses.
  const [hasAccount, setHasAccount] = useState(false)
  const toJoin = link.kind === 'invitation' ? () => setHasAccount(true) : undefined
  if (hasAccount) return <Join link={link} token={token} onDone={onDone} onBack={() => setHasAccount(false)} />
  return <UseLink link={link} token={token} onDone={onDone} toJoin={toJoin} />
}

function UseLink({ link, token, onDone, toJoin }: Props & { toJoin: (() => void) | undefined }) {
  const isFirst = link.kind === 'sign_in'
  const [name, setName] = useState(link.name ?? '')
  const [password, setPassword] = useState('')
  const [mustSignIn, setMustSignIn] = useState(false)
  const [entered, setEntered] = useState<Me>()
  const { submit, isBusy, error } = useSubmit(async () => {
    const wanted = isFirst ? {} : { password, ...(link.kind === 'invitation' ? { name } : {}) }
    const { me } = await api.session.openLink({ token, ...wanted })
    if (me === null) setMustSignIn(true)
    // Somebody with a second factor has a passkey or an app, and is able to sign in again.
    else if (isFirst && !me.hasPassword && !me.hasSecondFactor) setEntered(me)
    else onDone(me)
  })
  if (entered !== undefined) return <FirstCredential me={entered} onDone={onDone} />
  if (mustSignIn) {
    return (
      <Door title="Sign in" intro="Your password has been changed. Sign in with it and your second factor.">
        <SignInForm email={link.email} onDone={onDone} />
      </Door>
    )
  }
  return (
    <Door title={TITLES[link.kind]} intro={introOf(link)}>
      <Form error={error} submit={submit} className={styles.form}>
        {link.kind === 'invitation' ? (
          <TextField
            param="name"
            label="Your name"
            autoComplete="name"
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        ) : null}
        {isFirst ? null : <NewPassword param="password" email={link.email} value={password} onChange={setPassword} />}
        <Refused />
        <Button type="submit" loading={isBusy} fullWidth>
          {BUTTONS[link.kind]}
        </Button>
        {toJoin === undefined ? null : (
          <Button variant="subtle" fullWidth onClick={toJoin}>
            I already have an account
          </Button>
        )}
      </Form>
    </Door>
  )
}

const TITLES = {
  invitation: 'Join Cardstock',
  reset: 'Choose a new password',
  sign_in: 'Welcome to Cardstock',
} as const
const BUTTONS = { invitation: 'Create account', reset: 'Change password', sign_in: 'Open console' } as const

function introOf({ kind, email, role, company }: Link): string {
  if (kind === 'reset') return `For ${email}. This ends all sessions of this account.`
  const where = company === null ? 'the card programme' : company.name
  return kind === 'invitation'
    ? `You are invited to join ${where} as ${role}, with ${email}.`
    : `This link signs you in to ${where} as ${email}. It works once.`
}

/** For somebody who has an account already: they sign in and then belong to this company too. */
function Join({ link, token, onDone, onBack }: Props & { onBack(): void }) {
  const [error, setError] = useState<unknown>()
  return (
    <Door title={TITLES.invitation} intro={introOf(link)}>
      <Notice tone="blue">
        <p>To join, sign in with the account that has this e-mail address.</p>
      </Notice>
      <br />
      <SignInForm
        email={link.email}
        onDone={() => void api.session.join({ token }).then(onDone, (refusal: unknown) => setError(refusal))}
      />
      <Problem error={error} />
      <Button variant="subtle" fullWidth onClick={onBack}>
        I do not have an account
      </Button>
    </Door>
  )
}
