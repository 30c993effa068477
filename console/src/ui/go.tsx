// A link inside the console: it opens without loading the document again, and loads the code of the page on hover.
import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'

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
  return <a {...rest} href={href} onClick={open} onMouseEnter={preload} onFocus={preload} />
}

/** Returns a function that opens a page of the console. */
export function useGo(): (href: string, options?: { replace?: boolean }) => void {
  const router = useRouter()
  return (href, { replace = false } = {}) => void router.navigate({ href, replace })
}
