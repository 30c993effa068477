// People in tests: invites them over HTTP and keeps the cookie of their session, as a browser would.
import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Role } from '../../../src/access/permissions.ts'
import type { Environment } from '../../../src/lib/scope.ts'
import type { TestAnswer, TestCompany, TestServer } from '../../support/harness.ts'

export const PASSWORD = 'a quiet horse walks home'

export interface MeBody {
  id: string
  name: string
  email: string
  timeZone: string | null
  hasPassword: boolean
  hasSecondFactor: boolean
  verifiedUntil: string | null
  programmeRole: string | null
  companies: { id: string; role: string; permissions: Record<Environment, string[]> }[]
  session: { id: string; isCurrent: boolean }
}

interface Options {
  body?: unknown
  headers?: Record<string, string>
  environment?: Environment
  company?: string
  idempotencyKey?: string
}

/** A browser with its cookie. */
export class Browser {
  readonly server: TestServer
  cookie = ''

  constructor(server: TestServer) {
    this.server = server
  }

  /** Sends a request as a page of this server would. An empty text leaves a header out. */
  async send<Body = Record<string, unknown>>(
    method: string,
    path: string,
    { body, headers = {}, environment = 'sandbox', company, idempotencyKey = randomUUID() }: Options = {},
  ): Promise<TestAnswer<Body>> {
    const all: Record<string, string> = {
      cookie: this.cookie,
      'x-csrf': '1',
      'sec-fetch-site': 'same-origin',
      'cardstock-environment': environment,
      'idempotency-key': idempotencyKey,
      ...(company === undefined ? {} : { 'cardstock-company': company }),
      ...headers,
    }
    const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
    const answer = await this.server.request<Body>(method, path, {
      headers: kept,
      ...(body === undefined ? {} : { body }),
    })
    const set = answer.headers.get('set-cookie')
    if (set !== null) this.cookie = /^[^;]*/.exec(set)?.[0] ?? ''
    return answer
  }

  get<Body = Record<string, unknown>>(path: string, options: Options = {}) {
    return this.send<Body>('GET', path, options)
  }
  post<Body = Record<string, unknown>>(path: string, body?: unknown, options: Options = {}) {
    return this.send<Body>('POST', path, { ...options, body })
  }
  signIn(email: string, password = PASSWORD, more: object = {}) {
    return this.post<MeBody>('/console/v1/sign-in', { email, password, ...more })
  }
}

export const tokenOf = (url: string) => url.slice(url.indexOf('#') + 1)

export async function invite(
  server: TestServer,
  role: Role,
  { company, email = `${role}-${randomUUID()}@example.com` }: { company?: TestCompany; email?: string } = {},
): Promise<{ id: string; email: string; token: string; url: string }> {
  const body = { email, role, ...(company === undefined ? {} : { companyId: company.wireId }) }
  const answer = await server.request<{ id: string; url: string; email: string }>('POST', '/admin/v1/invitations', {
    token: server.operatorToken,
    body,
  })
  if (answer.status !== 201) throw new Error(answer.text)
  return { ...answer.body, token: tokenOf(answer.body.url) }
}

/** Returns the browser of a person with this role, who has just accepted their invitation. */
export async function join(
  server: TestServer,
  role: Role,
  company?: TestCompany,
): Promise<Browser & { email: string }> {
  const { email, token } = await invite(server, role, company === undefined ? {} : { company })
  const browser = new Browser(server)
  const answer = await browser.post('/console/v1/links/use', { token, name: `The ${role}`, password: PASSWORD })
  if (answer.status !== 200) throw new Error(answer.text)
  return Object.assign(browser, { email })
}

/** The code that an authenticator app shows now, or some steps of 30 seconds from now. */
export function codeOf(secret: string, server: TestServer, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: server.clock.now().getTime() + steps * 30_000 })
}

/** Sets up an authenticator app. The code of this moment is used up. */
export async function addTotp(browser: Browser): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await browser.post<{ secret: string }>('/console/v1/second-factor/totp', { password: PASSWORD })
  const { secret } = begun.body
  const code = codeOf(secret, browser.server)
  const answer = await browser.post<{ recoveryCodes: string[] }>('/console/v1/second-factor/totp/confirm', { code })
  if (answer.status !== 200) throw new Error(answer.text)
  return { secret, recoveryCodes: answer.body.recoveryCodes }
}
