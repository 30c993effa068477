// Chooses something in a field that searches on the server, as a person does: types the beginning, then clicks what was found.
import type { Locator, Page } from 'playwright-core'

export async function searchFor(within: Page | Locator, label: string, typed: string): Promise<void> {
  const page = 'page' in within ? within.page() : within
  await within.getByRole('combobox', { name: label }).fill(typed)
  await page.getByRole('option').filter({ hasText: typed }).first().click()
}
