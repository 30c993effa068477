// Opens the console as somebody with a role, for tests that are about the page only.
import type { Browser, Page } from 'playwright-core'
import type { Role } from '../../../src/access/permissions.ts'
import { addTotp, join } from '../../api/people/people.ts'
import { openBrowser, openConsole } from '../../support/console.ts'
import type { TestCompany, TestServer } from '../../support/harness.ts'

export async function openAs(browser: Browser, server: TestServer, role: Role, company?: TestCompany): Promise<Page> {
  const { page } = await openConsole(browser, server, { role, ...(company === undefined ? {} : { company }) })
  return page
}

/** Opens it as somebody with a second factor that was proved just now, which changes in live need. */
export async function openProved(
  browser: Browser,
  server: TestServer,
  role: Role,
  company?: TestCompany,
): Promise<Page> {
  const person = await join(server, role, company)
  await addTotp(person)
  const { page } = await openBrowser(browser, server)
  const [name = '', value = ''] = person.cookie.split('=')
  await page.context().addCookies([{ name, value, url: server.baseUrl, httpOnly: true, sameSite: 'Lax' }])
  return page
}
