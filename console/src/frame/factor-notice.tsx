// Says before anything is typed that the server will refuse a change without a second factor, and where to set one up.
import { useWorkplace } from '~/api/company.tsx'
import type { Needs } from '~/api/needs.ts'
import { isPlaced, splitPlace } from '~/api/place.ts'
import { useRouterState } from '@tanstack/react-router'
import { PATTERNS, paths } from '~/paths.ts'
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

interface Words {
  readonly title: string
  readonly text: string
}

/** Returns what this person cannot do on this page without a second factor, or undefined if the server would refuse nothing. */
function useMissing(): Words | undefined {
  const { me, company, environment, may } = useWorkplace()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  if (me.hasSecondFactor) return undefined
  if (path === PATTERNS.programme || path.startsWith(`${PATTERNS.programme}/`)) {
    if (me.programmeRole !== 'operator' || !me.hasLiveIssuer) return undefined
    return {
      title: 'Changes to the programme need a second factor',
      text: 'You have none, so you cannot decide or change anything.',
    }
  }
  if (company === undefined || !isPlaced(path)) return undefined
  if (environment === 'live' && CHANGES.some((needs) => may(needs))) {
    const rest = may('cards:write') ? 'cannot change anything, except freeze and close cards' : 'cannot change anything'
    return { title: 'Changes in live need a second factor', text: `You have none, so you ${rest}.` }
  }
  // People are the same in both environments.
  if (splitPlace(path).path !== PATTERNS.team || !me.hasLiveIssuer || !may('people:write')) return undefined
  return { title: 'Changes to the team need a second factor', text: 'You have none, so you cannot change anything.' }
}

export function FactorNotice() {
  const missing = useMissing()
  if (missing === undefined) return null
  return (
    <div className={styles.factor}>
      <Notice tone="amber" title={missing.title}>
        <p>
          {missing.text} <Go href={paths.myAccount()}>Set up a passkey or an authenticator app</Go>
        </p>
      </Notice>
    </div>
  )
}
