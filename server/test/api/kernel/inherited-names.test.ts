// Names that every JavaScript object inherits, sent where a name is looked up: in each path and each query parameter of every
// route. A table that is an ordinary object would find something there, and answer with it or fail.
import { afterAll, expect, it } from 'vitest'
import type { Route } from '../../../src/http/route.ts'
import { TestServer } from '../../support/harness.ts'

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty']

const server = await TestServer.start({ OPERATOR_RATE_LIMIT_PER_SECOND: '100000' })
const company = await server.createCompany()
afterAll(() => server.stop())

const tokenOf = ({ access }: Route) => (access.by === 'operator' ? server.operatorToken : company.key)
const reads = server.app.routes.filter(({ method }) => method === 'GET')

/** Sends a request and returns it if the answer is more than a refusal. */
async function ask(route: Route, path: string): Promise<string[]> {
  const { status } = await server.request('GET', path, { token: tokenOf(route) })
  const isRefused = status >= 400 && status < 500
  return isRefused ? [] : [`${status} ${path}`]
}

it.each(NAMES)('"%s" in a path is not found', async (name) => {
  const found: string[] = []
  for (const route of reads.filter(({ path, tag }) => path.includes(':') && tag !== 'pages'))
    found.push(...(await ask(route, route.path.replaceAll(/:\w+/g, name))))
  expect(found).toEqual([])
})

it.each(NAMES.slice(0, 2))('"%s" as a query parameter, or as the value of one, never fails', async (name) => {
  const failed: string[] = []
  for (const route of reads.filter(({ access }) => access.by === 'company' || access.by === 'operator')) {
    const path = route.path.replaceAll(/:\w+/g, 'x')
    const { properties = {} }: { properties?: object } = route.query ?? {}
    const parameters = Object.keys(properties)
    const queries = [`${name}=1`, ...parameters.map((parameter) => `${parameter}=${name}`)]
    for (const query of queries) {
      const answer = await server.request('GET', `${path}?${query}`, { token: tokenOf(route) })
      if (answer.status >= 500) failed.push(`${answer.status} ${path}?${query}`)
    }
  }
  expect(failed).toEqual([])
})
