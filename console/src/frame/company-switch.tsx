// Shows the chosen company, and lets the person choose another one or the other environment.
import { useWorkplace } from '~/api/company.tsx'
import { onDemand } from '~/lib/on-demand.tsx'
import { Icon } from '~/ui/icon.tsx'
import { LateMenu } from '~/ui/late-menu.tsx'
import styles from './frame.module.css'

const CompanyItems = onDemand(() => import('./company-items.tsx'))

export function CompanySwitch() {
  const { company } = useWorkplace()
  if (company === undefined) {
    return (
      <section aria-label="Company">
        <p className={styles.company}>Card programme</p>
      </section>
    )
  }
  return (
    <LateMenu menu={CompanyItems} className={styles.company}>
      <span className={styles.companyMark} aria-hidden="true">
        {company.name.slice(0, 1).toUpperCase()}
      </span>
      <span className={styles.companyName}>{company.name}</span>
      <Icon name="chevron" size={14} />
    </LateMenu>
  )
}
