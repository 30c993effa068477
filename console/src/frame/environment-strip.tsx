// Says in words and colour whether this is the sandbox or live, and of which company, on every page. An operator's pages show both environments of all
// companies, so that they look like live.
import { useRouterState } from '@tanstack/react-router'
import { useWorkplace } from '~/api/company.tsx'
import { PATTERNS } from '~/paths.ts'
import { useChoose } from '~/ui/go.tsx'
import styles from './frame.module.css'

export function EnvironmentStrip() {
  const { environment, company, may } = useWorkplace()
  const choose = useChoose()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  if (may('programme') && isOfProgramme(path)) return <ProgrammeStrip />
  if (company === undefined) return null
  const isLive = environment === 'live'
  return (
    <div className={styles.strip} data-environment={environment} role="region" aria-label="Environment">
      <p>
        <strong>{isLive ? 'Live:' : 'Sandbox:'}</strong>{' '}
        {isLive ? (
          `real money of ${company.name}`
        ) : (
          <>
            {company.name}
            <span className={styles.stripMore}>, nothing here is real money</span>
          </>
        )}
      </p>
      <button
        type="button"
        className={styles.stripButton}
        onClick={() => choose({ environment: isLive ? 'sandbox' : 'live' })}
      >
        Switch to {isLive ? 'sandbox' : 'live'}
      </button>
    </div>
  )
}

const isOfProgramme = (path: string) => path === PATTERNS.programme || path.startsWith(`${PATTERNS.programme}/`)

function ProgrammeStrip() {
  return (
    <div className={styles.strip} data-environment="live" role="region" aria-label="Programme">
      <p>
        <strong>Programme:</strong> all companies, sandbox and live
        <span className={styles.stripMore}>. What is live is real money</span>
      </p>
    </div>
  )
}
