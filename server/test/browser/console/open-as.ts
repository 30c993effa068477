// Opens the console as somebody with a role, for tests that are about the page only.
import type { Browser, Page } from 'playwright-core'
import type { Role } from '../../../src/access/permissions.ts'
import { openConsole } from '../../support/console.ts'
import type { TestCompany, TestServer } from '../../support/harness.ts'

export async function openAs(browser: Browser, server: TestServer, role: Role, company?: TestCompany): Promise<Page> {
  const { page } = await openConsole(browser, server, { role, ...(company === undefined ? {} : { company }) })
  return page
}
