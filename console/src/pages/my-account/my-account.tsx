// Your own account: name, time zone, password, passkeys, authenticator app, recovery codes, mails, and where you are signed in.
import { useWorkplace } from '~/api/company.tsx'
import { Notice } from '~/ui/notice.tsx'
import { PageHeading, Stack } from '~/ui/page.tsx'
import { AuthenticatorApp } from './app.tsx'
import { Display } from './display.tsx'
import { Notifications } from './notifications.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { Sessions } from './sessions.tsx'

export default function MyAccount() {
  const { me } = useWorkplace()
  return (
    <>
      <PageHeading title="Your account">How you sign in to Cardstock, in every company.</PageHeading>
      <Stack>
        {me.hasSecondFactor ? null : (
          <Notice tone="amber" title="You have no second factor">
            <p>In live, every change except freezing and closing cards needs a passkey or an authenticator app.</p>
          </Notice>
        )}
        <Profile />
        <Display />
        <Passkeys />
        <Password />
        <AuthenticatorApp />
        <RecoveryCodes />
        <Notifications />
        <Sessions />
      </Stack>
    </>
  )
}
