// Questions about the list of routes as a whole: which of them belong to the operator's port, and whether a path that
// matched none is unknown (404) or only does not answer to the method (405).
import { ApiError } from '../errors.ts'
import type { Route } from './route.ts'

/** Splits the routes if /admin and /metrics have a separate port. People sign in at both, and both answer the health checks. */
export function splitRoutes(routes: readonly Route[]): { open: Route[]; admin: Route[] } {
  const isAdmin = ({ path }: Route) => path.startsWith('/admin/') || path === '/metrics'
  const isShared = ({ path }: Route) => path === '/healthz' || path === '/readyz' || path.startsWith('/console/')
  return {
    open: routes.filter((route) => !isAdmin(route)),
    admin: routes.filter((route) => isAdmin(route) || isShared(route)),
  }
}

/** Returns a function that lists the methods a path answers to. Only paths that matched no route are passed to it. */
export function createMethodFinder(routes: readonly Route[]): (url: string) => string[] {
  const patterns = new Map<string, { pattern: RegExp; methods: string[] }>()
  for (const route of routes) {
    const known = patterns.get(route.path) ?? { pattern: toPattern(route.path), methods: [] }
    known.methods.push(route.method, ...(route.method === 'GET' ? ['HEAD'] : []))
    patterns.set(route.path, known)
  }
  return (url) => {
    const path = url.split('?', 1)[0] ?? ''
    const matching = [...patterns.values()].filter(({ pattern }) => pattern.test(path))
    // Several patterns may match, such as /cards/issue and /cards/:id.
    return [...new Set(matching.flatMap(({ methods }) => methods))]
  }
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
}

export function refuseRoute(methods: readonly string[]): ApiError {
  if (methods.length === 0) return new ApiError('not_found', 'There is nothing at this path. See /docs for all paths.')
  const allow = methods.join(', ')
  return new ApiError('method_not_allowed', `This path only answers to ${allow}.`, { headers: { allow } })
}
