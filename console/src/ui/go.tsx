// A link inside the console: it opens without loading the document again, and loads the code of the page on hover.
import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { keepPlace } from '~/api/choice.ts'
import { useWorkplace } from '~/api/company.tsx'
import { isPlaced, joinPlace, type Place } from '~/api/place.ts'
import { addressOf } from '~/api/shown-place.ts'

export function Go({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const router = useRouter()
  const preload = () => {
    void router.preloadRoute({ to: href.split('?', 1)[0] ?? href }).catch(() => {})
  }
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (event.defaultPrevented || !isPlain) return
    event.preventDefault()
    void router.navigate({ href })
  }
  return <a {...rest} href={addressOf(href)} onClick={open} onMouseEnter={preload} onFocus={preload} />
}

/** Returns a function that shows the same page in another company or environment. Back returns to the former one. */
export function useChoose(): (change: Partial<Place>) => void {
  const router = useRouter()
  const { company, environment } = useWorkplace()
  return (change) => {
    if (company === undefined) return
    const place = { companyId: company.id, environment, ...change }
    keepPlace(place, true)
    const { pathname, searchStr } = router.state.location
    if (isPlaced(pathname)) router.history.push(joinPlace(place, pathname) + searchStr)
  }
}

/** Returns a function that opens a page of the console. */
export function useGo(): (href: string, options?: { replace?: boolean }) => void {
  const router = useRouter()
  return (href, { replace = false } = {}) => void router.navigate({ href, replace })
}
