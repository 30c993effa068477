// The frame around every page: environment, menu, search, account menu, and the dialogs over the page.
import { Button } from '@mantine/core'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, startTransition, Suspense, useEffect, useRef, useState } from 'react'
import { WorkplaceProvider } from '~/api/company.tsx'
import type { Me } from '~/api/me.ts'
import { useLive } from '~/api/use-live.ts'
import { Icon } from '~/ui/icon.tsx'
import { AccountMenu } from './account-menu.tsx'
import { CompanySwitch } from './company-switch.tsx'
import { EnvironmentStrip } from './environment-strip.tsx'
import { FactorNotice } from './factor-notice.tsx'
import { Menu } from './menu.tsx'
import { Offline } from './offline.tsx'
import { Overlays } from './overlays.tsx'
import { openPalette } from './palette-state.ts'
import { SignOutNotice } from './sign-out-notice.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import styles from './frame.module.css'

const NarrowMenu = lazy(() => import('./narrow-menu.tsx'))

export default function Frame({ me, children }: { me: Me; children?: ReactNode }) {
  return (
    <WorkplaceProvider me={me}>
      <FramedPage>{children ?? <Outlet />}</FramedPage>
      <Overlays />
    </WorkplaceProvider>
  )
}

function FramedPage({ children }: { children: ReactNode }) {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  useLive()
  useFocusOnNewPage(main, pathname)
  useKeptFocus(main)
  return (
    <div className={styles.frame}>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <EnvironmentStrip />
      <Offline />
      <SignOutNotice />
      <div className={styles.columns}>
        <div className={styles.side}>
          <div className={styles.sideInner}>
            <CompanySwitch />
            <Menu />
          </div>
        </div>
        <div className={styles.rest}>
          <div className={styles.top}>
            <Button
              className={styles.menuButton}
              variant="subtle"
              color="gray"
              aria-label="Open menu"
              // In a transition it appears as soon as its code is there. Otherwise React would wait for 0.3 seconds.
              onClick={() => startTransition(() => setMenuOpen(true))}
            >
              <Icon name="menu" />
            </Button>
            <button type="button" className={styles.search} onClick={openPalette}>
              <Icon name="search" size={16} />
              <span className={styles.searchText}>Search or jump to…</span>
              <kbd className={styles.key}>Ctrl K</kbd>
            </button>
            <AccountMenu />
          </div>
          <main id="main" ref={main} tabIndex={-1} className={styles.main}>
            <FactorNotice />
            {children}
          </main>
        </div>
      </div>
      <Suspense>{isMenuOpen ? <NarrowMenu close={() => setMenuOpen(false)} /> : null}</Suspense>
    </div>
  )
}

/** Moves the focus to a page that was just opened, as a browser does with a new document. */
function useFocusOnNewPage(main: { current: HTMLElement | null }, pathname: string): void {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [main, pathname])
}
