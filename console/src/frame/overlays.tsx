// What can lie over any page: palette, shortcuts, and signing in again. Each is loaded when it is first needed.
import { lazy, Suspense } from 'react'
import { asked } from '~/api/session-dialogs.ts'
import { useStore } from '~/lib/store.ts'
import { isPaletteOpen } from './palette-state.ts'
import { areShortcutsOpen } from './shortcuts-state.ts'
import { useShortcuts } from './use-shortcuts.ts'

const Palette = lazy(() => import('./palette.tsx'))
const Shortcuts = lazy(() => import('./shortcuts.tsx'))
const SignInAgain = lazy(() => import('./sign-in-again.tsx'))
const SecondFactor = lazy(() => import('./second-factor.tsx'))

export function Overlays() {
  useShortcuts()
  const what = useStore(asked)
  const isPalette = useStore(isPaletteOpen)
  const isShortcuts = useStore(areShortcutsOpen)
  return (
    <Suspense>
      {isPalette ? <Palette /> : null}
      {isShortcuts ? <Shortcuts /> : null}
      {what === 'sign-in' ? <SignInAgain /> : null}
      {what === 'second-factor' ? <SecondFactor /> : null}
    </Suspense>
  )
}
