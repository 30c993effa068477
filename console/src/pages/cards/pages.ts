// Cards: the list, one card, and the forms that put money on a card.
import type { Page } from '~/page.ts'
import { PATTERNS } from '~/paths.ts'

export const cardPages: readonly Page[] = [
  {
    path: PATTERNS.cards,
    title: 'Cards',
    icon: 'card',
    menu: 'main',
    needs: 'cards:read',
    shortcut: 'c',
    load: () => import('./list.tsx'),
  },
  {
    path: PATTERNS.issueCard,
    title: 'Issue card',
    icon: 'plus',
    needs: 'cards:write',
    shortcut: 'i',
    load: () => import('./issue.tsx'),
  },
  {
    path: PATTERNS.bulkCards,
    title: 'Cards from a file',
    icon: 'plus',
    needs: 'cards:write',
    load: () => import('./bulk/bulk.tsx'),
  },
  { path: PATTERNS.card, title: 'Card', icon: 'card', needs: 'cards:read', load: () => import('./detail.tsx') },
  {
    path: PATTERNS.topUpCard,
    title: 'Top up card',
    icon: 'plus',
    needs: 'cards:write',
    load: () => import('./top-up.tsx'),
  },
]
