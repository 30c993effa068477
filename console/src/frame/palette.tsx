// The palette: type to find a page, an action, a holder, a card, a payment, a company, or the object with an id.
import { Modal } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { Icon } from '~/ui/icon.tsx'
import { closePalette } from './palette-state.ts'
import { type PaletteItem, usePaletteItems } from './use-palette-items.ts'
import styles from './overlays.module.css'

const LIST = 'palette-list'
const idOf = (index: number) => `${LIST}-${index}`

export default function Palette() {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { company } = useWorkplace()
  const { items, isSearching } = usePaletteItems(text)
  const chosen = Math.min(at, items.length - 1)
  const run = (item: PaletteItem | undefined) => {
    if (item === undefined) return
    closePalette()
    item.run()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((chosen + step + items.length) % Math.max(1, items.length))
    }
    if (event.key === 'Enter') run(items[chosen])
  }
  useEffect(() => {
    // Newer browsers return a promise, which must not become the clean-up of the effect.
    document.getElementById(idOf(chosen))?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <Modal.Root opened onClose={closePalette} size="lg" yOffset="12vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search or jump to">
        <input
          className={styles.paletteInput}
          data-autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls={LIST}
          aria-activedescendant={items.length > 0 ? idOf(chosen) : undefined}
          aria-label="Search or jump to"
          placeholder={
            company === undefined
              ? 'Page, action, company or id'
              : 'Page, action, holder, last four digits, merchant or id'
          }
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
        <Results items={items} chosen={chosen} setAt={setAt} run={run} />
        {items.length === 0 ? (
          <p className={styles.paletteNone} role="status">
            {isSearching ? 'Searching…' : `No results for “${text.trim()}”. Try another word, or paste an id.`}
          </p>
        ) : null}
      </Modal.Content>
    </Modal.Root>
  )
}

interface ResultsProps {
  readonly items: readonly PaletteItem[]
  readonly chosen: number
  setAt(index: number): void
  run(item: PaletteItem): void
}

function Results({ items, chosen, setAt, run }: ResultsProps) {
  return (
    <ul id={LIST} role="listbox" aria-label="Results" className={styles.paletteList}>
      {items.map((item, index) => (
        // The keyboard acts on the field above, which names the chosen option.
        <li
          key={item.key}
          id={idOf(index)}
          role="option"
          aria-selected={index === chosen}
          className={styles.paletteItem}
          onClick={() => run(item)}
          onMouseMove={() => setAt(index)}
        >
          <Icon name={item.icon} />
          <span>{item.title}</span>
          <span className={styles.paletteHint}>{item.hint}</span>
        </li>
      ))}
    </ul>
  )
}
