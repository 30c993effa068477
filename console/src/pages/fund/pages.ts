// Fund: invoices that put money on the card account, and one of them.
import type { Page } from '~/page.ts'
import { PATTERNS } from '~/paths.ts'

export const fundPages: readonly Page[] = [
  {
    path: PATTERNS.fund,
    title: 'Invoices',
    icon: 'fund',
    menu: 'main',
    needs: 'balance:read',
    shortcut: 'f',
    load: () => import('./fund.tsx'),
  },
  {
    path: PATTERNS.invoice,
    title: 'Invoice',
    icon: 'fund',
    needs: 'balance:read',
    load: () => import('./invoice.tsx'),
  },
]
