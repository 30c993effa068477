// Tells 404 from 405 for paths that matched no route.
import { ApiError } from '../errors.ts'
import type { Route } from './route.ts'

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
    return [...patterns.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)
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
