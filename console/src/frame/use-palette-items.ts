// What the palette offers for what was typed.
import { useMantineColorScheme } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'
import type { IconName } from '~/ui/icon-shapes.ts'
import { PAGES } from '~/pages.ts'
import { findObjectPath, findProgrammePath, outside, paths } from '~/paths.ts'
import { useChoose, useGo } from '~/ui/go.tsx'
import { useFound } from './use-found.ts'
import { useSignOut } from './sign-out.ts'
import { openShortcuts } from './shortcuts-state.ts'

export interface PaletteItem {
  /** Tells it from the others, which may have the same title. */
  readonly key: string
  readonly title: string
  readonly hint: string
  readonly icon: IconName
  run(): void
}

export interface Palette {
  readonly items: readonly PaletteItem[]
  /** Whether the server is still looking for what was typed. */
  readonly isSearching: boolean
}

export function usePaletteItems(text: string): Palette {
  const go = useGo()
  const all = useAllItems(go)
  const found = useFound(text.trim())
  const words = text.trim().toLowerCase()
  const path = useObjectPath(text.trim())
  const object: PaletteItem[] =
    path === undefined
      ? []
      : [{ key: path, title: `Open ${text.trim()}`, hint: 'Object', icon: 'search', run: () => go(path) }]
  const objects = found.objects.map(({ href, ...item }): PaletteItem => ({ ...item, run: () => go(href) }))
  const named = all.filter(({ title }) => title.toLowerCase().includes(words))
  return { items: [...object, ...named, ...objects], isSearching: found.isSearching }
}

/** People of a company find its objects, and operators companies; those who belong to no company find reviews, too. */
function useObjectPath(id: string): string | undefined {
  const { company, may } = useWorkplace()
  const own = company === undefined ? undefined : findObjectPath(id)
  return own ?? (may('programme') ? findProgrammePath(id) : undefined)
}

function useAllItems(go: (href: string) => void): PaletteItem[] {
  const { me, company, environment, may } = useWorkplace()
  const { setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  const choose = useChoose()
  // A page with a parameter is about one object, and is found by the object's id.
  const pages = PAGES.filter(({ path, needs }) => !path.includes('$') && may(needs)).map(
    ({ title, icon, path, menu }): PaletteItem => ({
      key: path,
      title,
      icon,
      hint: menu === undefined ? 'Action' : 'Page',
      run: () => go(path),
    }),
  )
  const other = environment === 'sandbox' ? 'live' : 'sandbox'
  const switches: PaletteItem[] =
    company === undefined
      ? []
      : [
          action(`Switch to ${other}`, 'refresh', () => choose({ environment: other })),
          ...me.companies
            .filter(({ id }) => id !== company.id)
            .map(({ id, name }) => action(`Switch to ${name}`, 'building', () => choose({ companyId: id }))),
        ]
  return [
    ...pages,
    ...(may('funding:write') ? [action('Add funds', 'fund', () => go(paths.fund()))] : []),
    ...switches,
    action('Light theme', 'sun', () => setColorScheme('light')),
    action('Dark theme', 'moon', () => setColorScheme('dark')),
    action('Keyboard shortcuts', 'help', openShortcuts),
    action('API reference', 'book', () => window.location.assign(outside.reference)),
    action('Sign out', 'out', signOut),
  ]
}

function action(title: string, icon: IconName, run: () => void): PaletteItem {
  return { key: title, title, icon, hint: 'Action', run }
}
