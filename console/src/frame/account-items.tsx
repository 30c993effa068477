// What the menu of the person offers: their account, the reference, the theme, and signing out.
import { Menu, useMantineColorScheme } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'
import { outside, paths } from '~/paths.ts'
import { useGo } from '~/ui/go.tsx'
import { Icon } from '~/ui/icon.tsx'
import { OpenedMenu, type OpenedMenuProps } from '~/ui/opened-menu.tsx'
import { useSignOut } from './sign-out.ts'

export default function AccountItems({ button }: OpenedMenuProps) {
  const { me } = useWorkplace()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  const go = useGo()
  return (
    <OpenedMenu button={button} position="bottom-end">
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
    </OpenedMenu>
  )
}

const SCHEMES = [
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
  ['auto', 'System', 'refresh'],
] as const
