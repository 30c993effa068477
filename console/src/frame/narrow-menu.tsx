// The menu over the page, where there is no room for it beside the page.
import '@mantine/core/styles/Drawer.layer.css'
import { Drawer } from '@mantine/core'
import { CompanySwitch } from './company-switch.tsx'
import { Menu } from './menu.tsx'

export default function NarrowMenu({ close }: { close: () => void }) {
  return (
    <Drawer
      opened
      onClose={close}
      size="xs"
      title="Menu"
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close menu' }}
    >
      <CompanySwitch />
      <Menu onOpen={close} />
    </Drawer>
  )
}
