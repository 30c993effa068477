// The person: the shortcuts, their name, and the menu behind it.
import { ActionIcon } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'
import { onDemand } from '~/lib/on-demand.tsx'
import { Icon } from '~/ui/icon.tsx'
import { LateMenu } from '~/ui/late-menu.tsx'
import { openShortcuts } from './shortcuts-state.ts'
import styles from './frame.module.css'

const AccountItems = onDemand(() => import('./account-items.tsx'))

export function AccountMenu() {
  const { me } = useWorkplace()
  return (
    <div className={styles.end}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={openShortcuts}
      >
        <Icon name="help" />
      </ActionIcon>
      <LateMenu menu={AccountItems} className={styles.account} aria-label={`Account of ${me.name}`}>
        {/* Drawn by the style sheet, because the name of the button must contain its whole text. */}
        <span className={styles.initials} data-initials={initialsOf(me.name)} />
        <span className={styles.accountName}>{me.name}</span>
      </LateMenu>
    </div>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.slice(0, 1) ?? '').join('')
}
