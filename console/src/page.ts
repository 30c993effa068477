// What a page is: data that the router, the menu, the palette and the tests read.
import type { ComponentType } from 'react'
import type { IconName } from './ui/icon-shapes.ts'
import type { Needs } from './api/needs.ts'
import type { Pattern } from './paths.ts'

/** The headings of the menu, in their order. `main` has no heading. */
export const MENU_GROUPS = ['main', 'Developers', 'Team', 'Operator', 'You'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

export interface Page {
  readonly path: Pattern
  /** The heading of the page, the title of the tab, and the name in the menu and the palette. */
  readonly title: string
  readonly icon: IconName
  /** Where the menu lists the page. Left out: the page is not in the menu. */
  readonly menu?: MenuGroup
  /** Left out: everyone who is signed in may see the page. The menu hides it from others, and its address shows them why. */
  readonly needs?: Needs
  /** A key that opens the page after `g`, such as `c` for cards. */
  readonly shortcut?: string
  /** Loads the code of the page when it is first opened. The component is the default export. */
  readonly load: () => Promise<{ default: ComponentType }>
}
