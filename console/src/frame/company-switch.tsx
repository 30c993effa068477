// Shows the chosen company and environment, and lets the person choose others.
import { Menu } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'
import { useChoose } from '~/ui/go.tsx'
import { Icon } from '~/ui/icon.tsx'
import styles from './frame.module.css'

export function CompanySwitch() {
  const { me, company, environment } = useWorkplace()
  const choose = useChoose()
  if (company === undefined) {
    return (
      <section aria-label="Where you work">
        <p className={styles.company}>Card programme</p>
      </section>
    )
  }
  const other = environment === 'sandbox' ? 'live' : 'sandbox'
  return (
    <Menu width={240} position="bottom-start">
      <Menu.Target>
        <button type="button" className={styles.company}>
          <span className={styles.companyMark} aria-hidden="true">
            {company.name.slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.companyName}>{company.name}</span>
          <Icon name="chevron" size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {me.companies.length > 1 ? (
          <>
            <Menu.Label>Companies</Menu.Label>
            {me.companies.map(({ id, name }) => (
              <Menu.Item
                key={id}
                rightSection={id === company.id ? <Icon name="check" size={14} /> : null}
                onClick={() => choose({ companyId: id })}
              >
                {name}
              </Menu.Item>
            ))}
            <Menu.Divider />
          </>
        ) : null}
        <Menu.Label>You are in {environment}</Menu.Label>
        <Menu.Item onClick={() => choose({ environment: other })}>Switch to {other}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
