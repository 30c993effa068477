// The person: their name, help, the theme, and signing out.
import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'
import { outside, paths } from '~/paths.ts'
import { useGo } from '~/ui/go.tsx'
import { Icon } from '~/ui/icon.tsx'
import { openShortcuts } from './shortcuts-state.ts'
import { useSignOut } from './sign-out.ts'
import styles from './frame.module.css'

export function AccountMenu() {
  const { me } = useWorkplace()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  const go = useGo()
  return (
    <div className={styles.end}>
      <Tooltip label="Keyboard shortcuts (?)">
        <ActionIcon variant="subtle" color="gray" size={44} aria-label="Keyboard shortcuts" onClick={openShortcuts}>
          <Icon name="help" />
        </ActionIcon>
      </Tooltip>
      <Menu width={240} position="bottom-end">
        <Menu.Target>
          <button type="button" className={styles.account} aria-label={`Account of ${me.name}`}>
            {/* Drawn by the style sheet, because the name of the button must contain its whole text. */}
            <span className={styles.initials} data-initials={initialsOf(me.name)} />
            <span className={styles.accountName}>{me.name}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{me.email}</Menu.Label>
          <Menu.Item leftSection={<Icon name="user" size={16} />} onClick={() => go(paths.myAccount())}>
            Your account
          </Menu.Item>
          <Menu.Item component="a" href={outside.reference} leftSection={<Icon name="book" size={16} />}>
            API reference
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Theme</Menu.Label>
          {SCHEMES.map(([scheme, label, icon]) => (
            <Menu.Item
              key={scheme}
              leftSection={<Icon name={icon} size={16} />}
              rightSection={colorScheme === scheme ? <Icon name="check" size={14} /> : null}
              onClick={() => setColorScheme(scheme)}
            >
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="out" size={16} />} onClick={signOut}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

const SCHEMES = [
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
  ['auto', 'System', 'refresh'],
] as const

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.slice(0, 1) ?? '').join('')
}
