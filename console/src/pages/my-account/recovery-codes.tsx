// How many recovery codes are left, and new ones. They exist only beside a second factor.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { Loaded } from '~/ui/loaded.tsx'
import { Problem } from '~/ui/notice.tsx'
import { FormColumn, Panel } from '~/ui/page.tsx'
import { useAccountAction } from './account-action.ts'
import { ShownCodes } from './shown-codes.tsx'
import styles from '~/ui/form.module.css'

export function RecoveryCodes() {
  const { me } = useWorkplace()
  const [codes, setCodes] = useState<readonly string[]>()
  const query = useData('second-factors', [], (_client, options) => api.account.secondFactors(options))
  const renew = useAccountAction(
    () => api.account.renewRecoveryCodes(),
    ({ recoveryCodes }) => setCodes(recoveryCodes),
  )
  if (!me.hasSecondFactor) return null
  return (
    <Panel title="Recovery codes">
      <FormColumn>
        <Loaded query={query}>
          {({ recoveryCodesLeft: left }) => (
            <div className={styles.fields}>
              <p>
                {left === 0
                  ? 'You have no recovery codes. Create some in case you lose your device.'
                  : `${left} recovery ${left === 1 ? 'code' : 'codes'} left. New codes replace them.`}
              </p>
              <Problem error={renew.error} />
              <div className={styles.buttons}>
                <Button variant="default" loading={renew.isBusy} onClick={() => void renew.run()}>
                  Create codes
                </Button>
              </div>
            </div>
          )}
        </Loaded>
      </FormColumn>
      {codes === undefined ? null : <ShownCodes codes={codes} close={() => setCodes(undefined)} />}
    </Panel>
  )
}
