// Who belongs to the company.
import type { Page } from '~/page.ts'
import { PATTERNS } from '~/paths.ts'

export const teamPages: readonly Page[] = [
  {
    path: PATTERNS.team,
    title: 'Team',
    icon: 'users',
    menu: 'Team',
    needs: 'people:read',
    load: () => import('./team.tsx'),
  },
  {
    path: PATTERNS.companyAuditLog,
    title: 'Audit log',
    icon: 'book',
    menu: 'Team',
    needs: 'people:read',
    load: () => import('./audit-log.tsx'),
  },
]
