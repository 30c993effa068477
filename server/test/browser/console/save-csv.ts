// Saves the list of a page as CSV and reads the file.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/** Returns its lines, the first of which has the names of the columns. */
export async function saveCsv(page: Page, button = 'Download CSV'): Promise<string[]> {
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const text = await readFile(await (await saved).path(), 'utf8')
  return text.trim().split('\r\n')
}
