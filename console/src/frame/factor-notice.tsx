// Says on every page of live, before anything is typed, that a change will be refused, and where to mend that.
import { useWorkplace } from '~/api/company.tsx'
import type { Needs } from '~/api/needs.ts'
import { isPlaced } from '~/api/place.ts'
import { useRouterState } from '@tanstack/react-router'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Notice } from '~/ui/notice.tsx'
import styles from './frame.module.css'

const CHANGES: readonly Needs[] = [
  'cards:write',
  'funding:write',
  'holders:write',
  'webhooks:write',
  'keys:write',
  'people:write',
]

export function FactorNotice() {
  const { me, company, environment, may } = useWorkplace()
  const isOfCompany = useRouterState({ select: ({ location }) => isPlaced(location.pathname) })
  const isNeeded = company !== undefined && environment === 'live' && isOfCompany && CHANGES.some((needs) => may(needs))
  if (!isNeeded || me.hasSecondFactor) return null
  return (
    <div className={styles.factor}>
      <Notice tone="amber" title="You can read, but not change anything in live">
        <p>
          Changes in live need a second factor, and you have none.{' '}
          <Go href={paths.myAccount()}>Set up a passkey or an app</Go>
        </p>
      </Notice>
    </div>
  )
}
