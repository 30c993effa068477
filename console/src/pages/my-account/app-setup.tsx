// Setting up an authenticator app, step by step: the password if it is needed, the QR code with a first code, the recovery codes.
import type { AppSetup } from '@cardstock/sdk/console'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { CodeField } from '~/features/sign-in/code-field.tsx'
import { CopyButton } from '~/ui/copy.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { QrCode } from '~/ui/qr-code.tsx'
import { useAccountAction } from './account-action.ts'
import { usePasswordAgain } from './password-again.tsx'
import { ShownCodes } from './shown-codes.tsx'
import styles from '~/ui/form.module.css'

interface Props {
  readonly isReplacement: boolean
  close(): void
}

export function AppSetupDialog({ isReplacement, close }: Props) {
  const [setup, setSetup] = useState<AppSetup>()
  const [codes, setCodes] = useState<readonly string[]>()
  const title = isReplacement ? 'Replace authenticator app' : 'Add authenticator app'
  if (codes !== undefined) return <ShownCodes codes={codes} close={close} />
  if (setup !== undefined) return <Scan title={title} setup={setup} onDone={setCodes} close={close} />
  return <Begin title={title} isReplacement={isReplacement} onDone={setSetup} close={close} />
}

interface BeginProps extends Props {
  readonly title: string
  onDone(setup: AppSetup): void
}

function Begin({ title, isReplacement, onDone, close }: BeginProps) {
  const again = usePasswordAgain('To make sure that nobody else can add an app to your account.')
  const begin = useAccountAction(() => api.account.beginApp(again.proof), onDone)
  return (
    <FormDialog
      title={title}
      action="Continue"
      isReady={again.isReady}
      isBusy={begin.isBusy}
      error={begin.error}
      submit={() => void begin.run()}
      close={close}
    >
      <p>
        You need an authenticator app on your phone, such as Google Authenticator, 1Password or Aegis.
        {isReplacement ? ' The old app works until you confirm the new one. You get new recovery codes.' : ''}
      </p>
      {again.field}
    </FormDialog>
  )
}

interface ScanProps {
  readonly title: string
  readonly setup: AppSetup
  onDone(codes: readonly string[]): void
  close(): void
}

function Scan({ title, setup, onDone, close }: ScanProps) {
  const [code, setCode] = useState('')
  const confirm = useAccountAction(
    () => api.account.confirmApp({ code: code.trim() }),
    ({ recoveryCodes }) => onDone(recoveryCodes),
  )
  return (
    <FormDialog
      title={title}
      action="Confirm app"
      isReady={code.trim() !== ''}
      isBusy={confirm.isBusy}
      error={confirm.error}
      submit={() => void confirm.run()}
      close={close}
    >
      <p>Scan this code with the app, or type the secret into it. Then enter the six digits that it shows.</p>
      <QrCode text={setup.uri} label="QR code for the authenticator app" />
      <div className={styles.secret}>
        <code>{setup.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        <CopyButton value={setup.secret} label="Copy secret" />
      </div>
      <CodeField value={code} onChange={setCode} description="Six digits from the app." />
    </FormDialog>
  )
}
