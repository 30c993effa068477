// Says in words and colour whether this is the sandbox or live, and of which company, on every page.
import { useWorkplace } from '~/api/company.tsx'
import { useChoose } from '~/ui/go.tsx'
import styles from './frame.module.css'

export function EnvironmentStrip() {
  const { environment, company } = useWorkplace()
  const choose = useChoose()
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
