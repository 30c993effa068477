// Holders: the list, one with their cards, and the form that adds one.
import type { Page } from '~/page.ts'
import { PATTERNS } from '~/paths.ts'

export const holderPages: readonly Page[] = [
  {
    path: PATTERNS.holders,
    title: 'Holders',
    icon: 'users',
    menu: 'main',
    needs: 'holders:read',
    shortcut: 'h',
    load: () => import('./list.tsx'),
  },
  {
    path: PATTERNS.addHolder,
    title: 'Add holder',
    icon: 'plus',
    needs: 'holders:write',
    load: () => import('./add.tsx'),
  },
  { path: PATTERNS.holder, title: 'Holder', icon: 'users', needs: 'holders:read', load: () => import('./detail.tsx') },
]
