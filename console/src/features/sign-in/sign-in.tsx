// The sign-in page. It is shown instead of any page while nobody is signed in.
import { useQueryClient } from '@tanstack/react-query'
import { changePerson } from '~/api/me.ts'
import { Door } from './door.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { WayBack } from './way-back.tsx'

export default function SignIn() {
  const queries = useQueryClient()
  return (
    <Door title="Sign in" intro="No account yet? Ask an owner of your company, or the operator, for an invitation.">
      <SignInForm onDone={(me) => changePerson(queries, me)} />
      <WayBack />
    </Door>
  )
}
