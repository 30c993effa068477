// What developers need: keys, webhooks, events, and the log of requests.
import type { Page } from '~/page.ts'
import { PATTERNS } from '~/paths.ts'

const needs = 'webhooks:read' as const

export const developerPages: readonly Page[] = [
  {
    path: PATTERNS.keys,
    title: 'API keys',
    icon: 'key',
    menu: 'Developers',
    needs: 'keys:read',
    shortcut: 'k',
    load: () => import('./keys/list.tsx'),
  },
  {
    path: PATTERNS.webhooks,
    title: 'Webhooks',
    icon: 'webhook',
    menu: 'Developers',
    needs,
    shortcut: 'w',
    load: () => import('./webhooks/list.tsx'),
  },
  { path: PATTERNS.webhook, title: 'Webhook', icon: 'webhook', needs, load: () => import('./webhooks/detail.tsx') },
  {
    path: PATTERNS.events,
    title: 'Events',
    icon: 'zap',
    menu: 'Developers',
    needs,
    shortcut: 'e',
    load: () => import('./events/list.tsx'),
  },
  { path: PATTERNS.event, title: 'Event', icon: 'zap', needs, load: () => import('./events/detail.tsx') },
  {
    path: PATTERNS.requestLog,
    title: 'Request log',
    icon: 'code',
    menu: 'Developers',
    needs,
    shortcut: 'l',
    load: () => import('./request-log/list.tsx'),
  },
]
