// Whether the list of shortcuts is open, and whether single keys act at all: WCAG 2.1.4 wants a way to turn them off.
import { createStore } from '~/lib/store.ts'
import { findKept, keep } from '~/lib/kept.ts'

export const areShortcutsOpen = createStore(false)
export const openShortcuts = (): void => areShortcutsOpen.set(true)

export const areKeysOn = createStore(findKept('browser', 'keys') !== 'off')

export function setKeysOn(isOn: boolean): void {
  areKeysOn.set(isOn)
  keep('browser', 'keys', isOn ? undefined : 'off')
}
