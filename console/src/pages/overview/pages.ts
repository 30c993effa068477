// The overview.
import type { Page } from '~/page.ts'
import { PATTERNS } from '~/paths.ts'

export const overviewPages: readonly Page[] = [
  {
    path: PATTERNS.overview,
    title: 'Overview',
    icon: 'home',
    menu: 'main',
    needs: 'balance:read',
    shortcut: 'o',
    load: () => import('./overview.tsx'),
  },
]
