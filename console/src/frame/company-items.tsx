// The companies and the environments that the person can choose.
import { Menu } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'
import { useChoose } from '~/ui/go.tsx'
import { Icon } from '~/ui/icon.tsx'
import { OpenedMenu, type OpenedMenuProps } from '~/ui/opened-menu.tsx'

export default function CompanyItems({ button }: OpenedMenuProps) {
  const { me, company, environment } = useWorkplace()
  const choose = useChoose()
  const other = environment === 'sandbox' ? 'live' : 'sandbox'
  return (
    <OpenedMenu button={button} position="bottom-start">
      {me.companies.length > 1 ? (
        <>
          <Menu.Label>Companies</Menu.Label>
          {me.companies.map(({ id, name }) => (
            <Menu.Item
              key={id}
              rightSection={id === company?.id ? <Icon name="check" size={14} /> : null}
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
    </OpenedMenu>
  )
}
