// What was spent with cards.
import type { Page } from '~/page.ts'
import { PATTERNS } from '~/paths.ts'

export const spendPages: readonly Page[] = [
  {
    path: PATTERNS.spend,
    title: 'Spend',
    icon: 'activity',
    menu: 'main',
    needs: 'operations:read',
    load: () => import('./spend.tsx'),
  },
]
