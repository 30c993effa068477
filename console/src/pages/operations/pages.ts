// Operations: the list, and one with its timeline.
import type { Page } from '~/page.ts'
import { PATTERNS } from '~/paths.ts'

export const operationPages: readonly Page[] = [
  {
    path: PATTERNS.operations,
    title: 'Operations',
    icon: 'activity',
    menu: 'main',
    needs: 'operations:read',
    shortcut: 'p',
    load: () => import('./list.tsx'),
  },
  {
    path: PATTERNS.operation,
    title: 'Operation',
    icon: 'activity',
    needs: 'operations:read',
    load: () => import('./detail.tsx'),
  },
]
