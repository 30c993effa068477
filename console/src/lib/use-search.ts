// The parameters behind the question mark of the address. They are strings, and unknown ones are left alone.
import { useRouter, useRouterState } from '@tanstack/react-router'

export type SearchValues = Readonly<Record<string, string>>

export function useSearch(): SearchValues {
  return useRouterState({ select: ({ location }) => location.search as SearchValues })
}

/** Returns a function that changes some parameters. An empty value removes its parameter. */
export function useSetSearch(): (
  change: Readonly<Record<string, string | undefined>>,
  state?: object,
  options?: { readonly replace?: boolean },
) => void {
  const router = useRouter()
  return (change, state = {}, { replace = false } = {}) => {
    const { pathname, search } = router.state.location
    const next = { ...(search as SearchValues), ...change }
    const kept = Object.entries(next).filter(([, value]) => value !== undefined && value !== '') as [string, string][]
    const query = new URLSearchParams(kept).toString()
    void router.navigate({
      href: pathname + (query === '' ? '' : `?${query}`),
      state,
      replace,
      resetScroll: false,
    })
  }
}
