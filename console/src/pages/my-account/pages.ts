// What somebody changes about themselves.
import type { Page } from '~/page.ts'
import { PATTERNS } from '~/paths.ts'

export const myAccountPages: readonly Page[] = [
  {
    path: PATTERNS.myAccount,
    title: 'Your account',
    icon: 'user',
    menu: 'You',
    load: () => import('./my-account.tsx'),
  },
]
