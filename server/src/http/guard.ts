// Decides which requests are served while the server or its database cannot do everything.
import type { FastifyRequest } from 'fastify'
import type { Route } from './route.ts'

export interface GuardDeps {
  routes: readonly Route[]
  /** While this returns false, everything but the system's own routes is refused with 503. */
  mayServe?: () => boolean
  /** While this returns false, requests that change something are refused with 503. */
  mayChange?: () => boolean
}

/** Returns a function that reports whether a request is served now. */
export function createGuard({ routes, mayServe = () => true, mayChange = () => true }: GuardDeps) {
  const system = new Set(routes.filter(({ tag }) => tag === 'system').map(({ path }) => path))
  const isComputing = ({ access }: Route) => access.by === 'company' && access.changesNothing === true
  const computing = new Set(routes.filter(isComputing).map(({ method, path }) => `${method} ${path}`))
  return ({ method, routeOptions: { url: path = '' } }: FastifyRequest): boolean => {
    if (!mayServe()) return system.has(path)
    return method === 'GET' || method === 'HEAD' || mayChange() || computing.has(`${method} ${path}`)
  }
}
