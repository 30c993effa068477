// The card account: what moved, and the proof of it.
import type { Page } from '~/page.ts'
import { PATTERNS } from '~/paths.ts'

export const accountPages: readonly Page[] = [
  {
    path: PATTERNS.account,
    title: 'Card account',
    icon: 'wallet',
    menu: 'main',
    needs: 'balance:read',
    shortcut: 'a',
    load: () => import('./account.tsx'),
  },
]
