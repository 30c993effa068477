// The menu, made from the table of pages. A number beside a page is what waits there for a person.
import { useRouterState } from '@tanstack/react-router'
import { api } from '~/api/client.ts'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { COUNTED_MAX, useInReview } from '~/api/use-in-review.ts'
import { MENU_GROUPS, type Page } from '~/page.ts'
import { PAGES } from '~/pages.ts'
import { PATTERNS } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Icon } from '~/ui/icon.tsx'
import styles from './frame.module.css'

/** `onOpen` is called when a page is chosen. */
export function Menu({ onOpen }: { onOpen?: () => void }) {
  const { may } = useWorkplace()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const inReview = useInReview().data?.data.length ?? 0
  const counts = { ...useWaiting(), [PATTERNS.operations]: show(inReview) }
  return (
    <nav className={styles.menu} aria-label="Pages">
      {MENU_GROUPS.map((group) => {
        const pages = PAGES.filter(({ menu, needs }) => menu === group && may(needs))
        if (pages.length === 0) return null
        return (
          <div key={group}>
            {group === 'main' ? null : <p className={styles.menuGroup}>{group}</p>}
            <ul className={styles.menuList}>
              {pages.map((page) => (
                <li key={page.path}>
                  <Go
                    href={page.path}
                    className={styles.menuLink}
                    {...(onOpen === undefined ? {} : { onClick: onOpen })}
                    {...(isCurrent(page, pathname) ? { 'aria-current': 'page' } : {})}
                  >
                    <Icon name={page.icon} />
                    <span>{page.title}</span>
                    <Count path={page.path} counts={counts} />
                  </Go>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

/** The number beside a page says that something there waits for a person. */
function Count({ path, counts }: { path: string; counts: Readonly<Record<string, string>> }) {
  const count = counts[path] ?? ''
  if (count === '') return null
  return (
    <span className={styles.count}>
      {count}
      <span className="only-for-readers"> {path === PATTERNS.operations ? 'in review' : 'waiting'}</span>
    </span>
  )
}

/** A page of an object belongs to the menu entry of its list. */
function isCurrent({ path }: Page, pathname: string): boolean {
  const isRoot = path === PATTERNS.overview || path === PATTERNS.programme || path === PATTERNS.team
  return isRoot ? pathname === path : pathname === path || pathname.startsWith(`${path}/`)
}

function show(count: number): string {
  if (count === 0) return ''
  return count > COUNTED_MAX ? `${COUNTED_MAX}+` : String(count)
}

/** What waits for an operator, by the path of the page where it is decided. */
function useWaiting(): Readonly<Record<string, string>> {
  const { may } = useWorkplace()
  const { data } = useData('programme', ['overview'], (_client, options) => api.admin.programme.overview(options), {
    isMoving: true,
    isEnabled: may('programme'),
  })
  if (data === undefined) return {}
  const { reviews, verifications, holders } = data.waiting
  return { [PATTERNS.reviews]: show(reviews.count), [PATTERNS.companies]: show(verifications.count + holders.count) }
}
