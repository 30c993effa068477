// Fails a test when the server refuses a request with a code that the documentation of that call does not list.
import type { ErrorCode } from '../../src/errors.ts'
import { refusalsOf } from '../../src/http/openapi/refusals.ts'
import type { Route } from '../../src/http/route.ts'

export function requireDocumented(routes: readonly Route[], method: string, path: string, body: unknown): void {
  const { code, message } = body as { code?: ErrorCode; message?: string }
  // With a port for the operator, the other port does not serve the operator's routes.
  if (message?.startsWith('There is nothing at this path') === true) return
  const [pathname = ''] = path.split('?')
  const route = routes.find((candidate) => candidate.method === method && toPattern(candidate.path).test(pathname))
  if (code === undefined || route === undefined || refusalsOf(route).includes(code)) return
  throw new Error(`${method} ${route.path} answered ${code}. Add the code to the refusals of ${route.id}.`)
}

const patterns = new Map<string, RegExp>()

function toPattern(path: string): RegExp {
  const known = patterns.get(path)
  if (known !== undefined) return known
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
  patterns.set(path, pattern)
  return pattern
}
