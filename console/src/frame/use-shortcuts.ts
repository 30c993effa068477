// Keys that act on every page: Ctrl K, ?, and g followed by the key of a page.
import { useEffect } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { PAGES } from '~/pages.ts'
import { useGo } from '~/ui/go.tsx'
import { isPaletteOpen } from './palette-state.ts'
import { areKeysOn, openShortcuts } from './shortcuts-state.ts'

/** How long after `g` the second key counts. */
const SECOND_KEY_MS = 1_500

export function useShortcuts(): void {
  const go = useGo()
  const { may } = useWorkplace()
  useEffect(() => {
    let goUntil = 0
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        isPaletteOpen.set(!isPaletteOpen.get())
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !areKeysOn.get()) return
      if (event.key === '?') return openShortcuts()
      if (event.key === 'g') {
        goUntil = event.timeStamp + SECOND_KEY_MS
        return
      }
      const page = PAGES.find(({ shortcut, needs }) => shortcut === event.key && may(needs))
      if (page === undefined || event.timeStamp > goUntil) return
      goUntil = 0
      go(page.path)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [go, may])
}

/** Keys belong to the field or the dialog that has the focus. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null
  )
}
