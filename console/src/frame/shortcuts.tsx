// The list of keyboard shortcuts, and the switch that turns single keys off.
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Modal, Switch } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'
import { useStore } from '~/lib/store.ts'
import { PAGES } from '~/pages.ts'
import { areKeysOn, areShortcutsOpen, setKeysOn } from './shortcuts-state.ts'
import frame from './frame.module.css'
import styles from './overlays.module.css'

export default function Shortcuts() {
  const isOn = useStore(areKeysOn)
  const { may } = useWorkplace()
  const pages = PAGES.filter(({ shortcut, needs }) => shortcut !== undefined && may(needs))
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Search or jump to…', ['Ctrl', 'K']],
    ['Keyboard shortcuts', ['?']],
    ...pages.map(({ title, shortcut = '' }) => [title, ['g', shortcut]] as const),
  ]
  return (
    <Modal
      opened
      onClose={() => areShortcutsOpen.set(false)}
      title="Keyboard shortcuts"
      closeButtonProps={{ 'aria-label': 'Close this dialog' }}
    >
      <dl className={styles.keys}>
        {rows.map(([title, keys]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key} className={frame.key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Switch
        mt="md"
        label="Single-key shortcuts"
        description="Turn this off if you use voice control. Ctrl K always works."
        checked={isOn}
        onChange={(event) => setKeysOn(event.currentTarget.checked)}
      />
    </Modal>
  )
}
