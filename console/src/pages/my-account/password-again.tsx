// Asks for the password before the first second factor is added or the e-mail address is changed. People who have a second factor show that instead.
import { type ReactNode, useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { CurrentPassword } from '~/features/sign-in/password-fields.tsx'

export interface PasswordAgain {
  /** What to send: nothing unless the password is needed. */
  readonly proof: { password?: string }
  readonly isReady: boolean
  readonly field: ReactNode
}

export function usePasswordAgain(why: string): PasswordAgain {
  const { me } = useWorkplace()
  const [password, setPassword] = useState('')
  if (!me.hasPassword || me.hasSecondFactor) return { proof: {}, isReady: true, field: null }
  return {
    proof: { password },
    isReady: password !== '',
    field: <CurrentPassword param="password" email={me.email} value={password} onChange={setPassword} why={why} />,
  }
}
