// Keeps the focus on the page. When the element with the focus goes away, such as the button of a row that was deleted, browsers move the focus to the
// document, from where a keyboard begins again at the top.
import { useEffect } from 'react'

export function useKeptFocus(main: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    let last: HTMLElement | undefined
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) last = target
    }
    const observer = new MutationObserver(() => {
      if (last === undefined || document.activeElement !== document.body) return
      if (!last.isConnected) {
        last = undefined
        main.current?.focus({ preventScroll: true })
        // A button is disabled while its change is under way, and loses the focus.
      } else if (!last.matches(':disabled')) last.focus({ preventScroll: true })
    })
    document.addEventListener('focusin', remember)
    observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
    return () => {
      document.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [main])
}
