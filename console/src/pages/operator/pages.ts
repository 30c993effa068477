// What the operator of the card programme needs: reviews, companies, the catalogue, the books, and who may do what.
import type { Page } from '~/page.ts'
import { PATTERNS } from '~/paths.ts'

const needs = 'programme' as const

export const operatorPages: readonly Page[] = [
  {
    path: PATTERNS.programme,
    title: 'Programme',
    icon: 'home',
    menu: 'Operator',
    needs,
    load: () => import('./home/home.tsx'),
  },
  {
    path: PATTERNS.reviews,
    title: 'Reviews',
    icon: 'clipboard',
    menu: 'Operator',
    needs,
    shortcut: 'r',
    load: () => import('./reviews/list.tsx'),
  },
  { path: PATTERNS.review, title: 'Review', icon: 'clipboard', needs, load: () => import('./reviews/detail.tsx') },
  {
    path: PATTERNS.companies,
    title: 'Companies',
    icon: 'building',
    menu: 'Operator',
    needs,
    load: () => import('./companies/list.tsx'),
  },
  { path: PATTERNS.company, title: 'Company', icon: 'building', needs, load: () => import('./companies/detail.tsx') },
  {
    path: PATTERNS.catalogue,
    title: 'Catalogue',
    icon: 'tag',
    menu: 'Operator',
    needs,
    load: () => import('./catalogue/list.tsx'),
  },
  { path: PATTERNS.product, title: 'Product', icon: 'tag', needs, load: () => import('./catalogue/detail.tsx') },
  {
    path: PATTERNS.ledger,
    title: 'Ledger',
    icon: 'scale',
    menu: 'Operator',
    needs,
    load: () => import('./ledger/ledger.tsx'),
  },
  { path: PATTERNS.seals, title: 'Seals', icon: 'scale', needs, load: () => import('./ledger/seals.tsx') },
  {
    path: PATTERNS.issuer,
    title: 'Issuer',
    icon: 'shield',
    menu: 'Operator',
    needs,
    load: () => import('./issuer/issuer.tsx'),
  },
  {
    path: PATTERNS.health,
    title: 'Health',
    icon: 'heart',
    menu: 'Operator',
    needs,
    load: () => import('./health/health.tsx'),
  },
  {
    path: PATTERNS.auditLog,
    title: 'Audit log',
    icon: 'book',
    menu: 'Operator',
    needs,
    load: () => import('./audit-log/list.tsx'),
  },
  {
    path: PATTERNS.programmePeople,
    title: 'People and tokens',
    icon: 'users',
    menu: 'Operator',
    needs,
    load: () => import('./people/people.tsx'),
  },
]
