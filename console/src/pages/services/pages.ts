// Services: what can be ordered, and the form that orders one.
import type { Page } from '~/page.ts'
import { PATTERNS } from '~/paths.ts'

export const servicePages: readonly Page[] = [
  {
    path: PATTERNS.services,
    title: 'Services',
    icon: 'grid',
    menu: 'main',
    needs: 'balance:read',
    shortcut: 's',
    load: () => import('./list.tsx'),
  },
  {
    path: PATTERNS.orderService,
    title: 'Order service',
    icon: 'grid',
    needs: 'services:write',
    load: () => import('./order.tsx'),
  },
]
