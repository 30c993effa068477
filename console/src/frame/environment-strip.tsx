// Says in words and colour that this is the sandbox. Live has no strip.
import { choose } from '~/api/choice.ts'
import { useWorkplace } from '~/api/company.tsx'
import styles from './frame.module.css'

export function EnvironmentStrip() {
  const { environment, company } = useWorkplace()
  if (environment === 'live' || company === undefined) return null
  return (
    <div className={styles.strip} role="region" aria-label="Environment">
      <p>
        <strong>Sandbox:</strong> nothing here is real money
      </p>
      <button type="button" className={styles.stripButton} onClick={() => choose({ environment: 'live' })}>
        Switch to live
      </button>
    </div>
  )
}
