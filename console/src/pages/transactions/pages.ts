// Transactions: card payments, and one of them.
import type { Page } from '~/page.ts'
import { PATTERNS } from '~/paths.ts'

export const transactionPages: readonly Page[] = [
  {
    path: PATTERNS.transactions,
    title: 'Transactions',
    icon: 'receipt',
    menu: 'main',
    needs: 'operations:read',
    shortcut: 't',
    load: () => import('./list.tsx'),
  },
  {
    path: PATTERNS.transaction,
    title: 'Transaction',
    icon: 'receipt',
    needs: 'operations:read',
    load: () => import('./detail.tsx'),
  },
]
