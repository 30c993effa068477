// Creates a link for somebody who cannot sign in, as an owner does on the Team page, and returns its address.
import type { Page } from 'playwright-core'

export async function createLink(page: Page, email: string): Promise<string> {
  await page.goto('/team')
  await page
    .getByRole('row', { name: new RegExp(email) })
    .getByRole('button', { name: /^Change/ })
    .click()
  await page.getByRole('menuitem', { name: 'Reset access' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  return (await dialog.locator('code', { hasText: /^http/ }).first().textContent()) ?? ''
}
