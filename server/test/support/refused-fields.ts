// What a form must show when the server refuses a field: the message beside it, bound to it for screen readers, and the focus in it.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { findViolations } from './browser.ts'

export interface WrongField {
  readonly label: string
  /** What the server refuses. */
  readonly wrong: string
  /** What it accepts. */
  readonly right: string
  /** The words of the form. */
  readonly says: string
}

export interface RefusedForm {
  readonly form: string
  readonly path: string
  /** Opens the dialog of the form, if it has one, and fills in what is not refused. */
  readonly open?: (page: Page) => Promise<void>
  readonly fields: readonly WrongField[]
  /** The button that sends the form. */
  readonly button: string | RegExp
  /** What shows that the corrected form was accepted. Left out: the form is not sent. */
  readonly done?: (page: Page) => Promise<void>
}

/** The part of the page with the form: the dialog if one is open. */
export async function scopeOf(page: Page): Promise<Locator> {
  const dialog = page.getByRole('dialog')
  return (await dialog.count()) > 0 ? dialog.last() : page.locator('body')
}

/** A field by its whole label, which has an asterisk if it is required. */
export function fieldOf(within: Page | Locator, label: string): Locator {
  const text = label.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return within.getByLabel(new RegExp(String.raw`^${text}(\s*\*)?$`)).first()
}

/** What a screen reader says of a field besides its name. */
async function describe(field: Locator): Promise<string> {
  const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ').filter((id) => id !== '')
  const texts = ids.map((id) => field.page().locator(`[id="${id}"]`).textContent())
  return (await Promise.all(texts)).join(' ')
}

/** Expects the message at the field. */
export async function expectMessage(field: Locator, says: string): Promise<void> {
  await expect.poll(() => field.getAttribute('aria-invalid'), { message: says }).toBe('true')
  expect(await describe(field)).toContain(says)
}

/** Expects the focus in the field. */
export async function expectFocus(field: Locator): Promise<void> {
  await expect.poll(() => field.and(field.page().locator(':focus')).count(), { message: 'has the focus' }).toBe(1)
}

/** Expects the field to be right. */
export async function expectNoMessage(field: Locator): Promise<void> {
  await expect.poll(() => field.getAttribute('aria-invalid')).not.toBe('true')
}

/** Goes through the fields of a form: each is refused once, and corrected. At last the form is sent as it is right. */
export async function expectRefusals(page: Page, { path, open, fields, button, done }: RefusedForm): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await open?.(page)
  const scope = await scopeOf(page)
  for (const { label, right } of fields) await fieldOf(scope, label).fill(right)
  for (const { label, wrong, right, says } of fields) {
    const field = fieldOf(scope, label)
    await field.fill(wrong)
    await scope.getByRole('button', { name: button }).click()
    await expectMessage(field, says)
    await expectFocus(field)
    expect(await scope.getByRole('alert').count(), `${label} has no box as well`).toBe(0)
    const line = scope.getByRole('status').filter({ hasText: `Correct “${label}”.` })
    expect(await line.textContent()).toMatch(/Request [\w-]+/)
    if (label === fields[0]?.label) expect(await findViolations(page), label).toEqual([])
    await field.fill(right)
    await expectNoMessage(field)
    expect(await line.count()).toBe(0)
  }
  if (done === undefined) return
  await scope.getByRole('button', { name: button }).click()
  await done(page)
}
