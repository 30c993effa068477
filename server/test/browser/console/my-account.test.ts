// One's own account in the console: passkeys on a virtual authenticator, the authenticator app with its codes, the password, and
// sessions that end.
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTotp, Browser as Client, codeOf, PASSWORD } from '../../api/people/people.ts'
import { byName } from '../../api/people/software-authenticator.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { expectFocus, expectMessage, fieldOf } from '../../support/refused-fields.ts'
import { until } from '../../support/wait.ts'

/** A virtual device answers at once when a page offers passkeys with the e-mail address; a person would have to choose one. */
const NO_AUTOFILL =
  'if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false'

describeInBrowser('one’s own account in the console', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let stop: () => Promise<void>

  beforeAll(async () => {
    const started = await TestServer.start()
    stop = () => started.stop()
    server = byName(started)
    browser = await launchBrowser()
    company = await started.createCompany()
  })
  afterAll(async () => {
    await browser.close()
    await stop()
  })

  const openAccount = async ({ autofills = false } = {}) => {
    const opened = await openConsole(browser, server, { company })
    if (!autofills) await opened.page.addInitScript(NO_AUTOFILL)
    await opened.page.goto('/my-account')
    await untilShown(opened.page)
    const own = Object.assign(new Client(server), { cookie: opened.cookie })
    return { ...opened, own, dialog: opened.page.getByRole('dialog') }
  }
  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  }
  const signIn = async (page: Page, email: string, password = PASSWORD) => {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel(/^Password/).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  test('a page that is refused while its person signs out asks nobody to sign in again', async () => {
    const { page, dialog, email } = await openAccount()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/console/v1/sign-out', async (route) => {
      const response = await route.fetch()
      await held
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Cards' }).first().click()
    await dialog.getByText('Sign in to continue').waitFor()
    release()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await page.unroute('**/console/v1/sign-out')
    await signIn(page, email)
    await page.getByRole('button', { name: /^Account of/ }).waitFor()
    expect(await dialog.count()).toBe(0)
    await signOut(page)
  })

  test('a page is gone as soon as its person has signed out, before the sign-in page is loaded', async () => {
    const { page } = await openAccount()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/assets/sign-in-*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    // Not only hidden: a hidden page would go on reading, be refused, and ask the next person to sign in again.
    await expect.poll(() => page.locator('main').count()).toBe(0)
    release()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  })

  describe('passkeys', () => {
    test('a passkey is added, signs in, proves the second factor, and is removed', async () => {
      const { page, dialog, offences } = await openAccount()
      const device = await addDevice(page)
      await page.getByRole('button', { name: 'Add passkey' }).click()
      await dialog.getByLabel('Name').fill('Work laptop')
      await dialog.getByLabel('Current password').fill('not the password')
      await dialog.getByRole('button', { name: 'Add passkey' }).click()
      await dialog.getByText('The password is wrong.').waitFor()
      await dialog.getByLabel('Current password').fill(PASSWORD)
      await dialog.getByRole('button', { name: 'Add passkey' }).click()
      await page.getByRole('row', { name: /Work laptop/ }).waitFor()
      await page.getByRole('button', { name: 'Change Work laptop' }).click()
      await page.getByRole('menuitem', { name: 'Rename' }).click()
      const name = fieldOf(dialog, 'Name')
      await name.fill('Work\u200Elaptop')
      await dialog.getByRole('button', { name: 'Rename passkey' }).click()
      await expectMessage(name, 'Name must be a name of 1 to 100 characters')
      await expectFocus(name)
      await name.fill('Work laptop')
      await dialog.getByRole('button', { name: 'Rename passkey' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(await findViolations(page)).toEqual([])

      await signOut(page)
      expect(await findViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('row', { name: /Work laptop.*localhost/ }).waitFor()

      server.clock.advance(11 * 60_000)
      await page.getByRole('button', { name: 'Change Work laptop' }).click()
      await page.getByRole('menuitem', { name: 'Rename' }).click()
      await dialog.getByLabel('Name').fill('Old laptop')
      await dialog.getByRole('button', { name: 'Rename passkey' }).click()
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.getByRole('row', { name: /Old laptop/ }).waitFor()

      await page.getByRole('button', { name: 'Change Old laptop' }).click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await dialog.getByRole('button', { name: 'Remove passkey' }).click()
      await page.getByText('No passkeys yet').waitFor()
      await signOut(page)
      // The device still has the passkey, and the server refuses it.
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByText('This passkey was not accepted').waitFor()
      await device.detach()
      expect(offences).toEqual([])
    })

    test('a passkey is offered where the e-mail address is typed', async () => {
      const { page, dialog } = await openAccount({ autofills: true })
      await addDevice(page)
      await page.getByRole('button', { name: 'Add passkey' }).click()
      await dialog.getByLabel('Current password').fill(PASSWORD)
      await dialog.getByRole('button', { name: 'Add passkey' }).click()
      await page.getByRole('row', { name: /Chrome.*localhost/ }).waitFor()
      await page.context().clearCookies()
      await page.reload()
      // The sign-in page stands here until the browser answers with the passkey.
      await page.getByRole('row', { name: /Chrome.*localhost/ }).waitFor()
      expect((await page.request.get('/console/v1/me')).status()).toBe(200)
    })

    test('a question that the person closes is said in plain words', async () => {
      const { page, dialog } = await openAccount()
      await addDevice(page, { isUserVerified: false })
      await page.getByRole('button', { name: 'Add passkey' }).click()
      await dialog.getByLabel('Current password').fill(PASSWORD)
      await dialog.getByRole('button', { name: 'Add passkey' }).click()
      await dialog.getByText('Your device did not answer, or the prompt was closed.').waitFor()
      expect(await page.getByText('No passkeys yet').count()).toBe(1)
    })
  })

  describe('the authenticator app', () => {
    test('is added with a typed secret, asks for a code, refuses a wrong one, and recovery codes stand in', async () => {
      const { page, dialog, email, offences } = await openAccount()
      await page.getByRole('button', { name: 'Add app' }).click()
      await dialog.getByLabel('Current password').fill(PASSWORD)
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
      const secret = ((await dialog.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
      expect(await findViolations(page, '[role=dialog]')).toEqual([])
      await dialog.getByRole('textbox', { name: /^Code/ }).fill('000000')
      await dialog.getByRole('button', { name: 'Confirm app' }).click()
      await dialog.getByText('Wrong or already used code.').waitFor()
      await dialog.getByRole('textbox', { name: /^Code/ }).fill(codeOf(secret, server))
      await dialog.getByRole('button', { name: 'Confirm app' }).click()
      const list = dialog.getByRole('list', { name: 'Recovery codes' })
      await list.waitFor()
      const codes = await list.getByRole('listitem').allTextContents()
      expect(codes).toHaveLength(10)
      expect(await findViolations(page, '[role=dialog]')).toEqual([])
      const download = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Download codes' }).click()
      expect((await download).suggestedFilename()).toBe('cardstock-recovery-codes.txt')
      await dialog.getByRole('button', { name: 'Done' }).click()
      await page.getByText('10 recovery codes left').waitFor()

      await signOut(page)
      await signIn(page, email)
      await page.getByRole('textbox', { name: /^Code/ }).fill('000000')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('Wrong or already used code.').waitFor()
      server.clock.advance(30_000)
      await page.getByRole('textbox', { name: /^Code/ }).fill(codeOf(secret, server))
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('10 recovery codes left').waitFor()

      await signOut(page)
      await signIn(page, email)
      await page.getByRole('textbox', { name: /^Code/ }).fill(codes[0] ?? '')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('9 recovery codes left').waitFor()
      expect(offences).toEqual([])
    })

    test('is removed after a recovery code has proved who is there', async () => {
      const { page, own } = await openAccount()
      const { recoveryCodes } = await addTotp(own)
      server.clock.advance(11 * 60_000)
      await page.reload()
      await page.getByRole('button', { name: 'Remove app' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove app' }).click()
      await page.getByRole('textbox', { name: /^Code/ }).fill(recoveryCodes[0] ?? '')
      await page.getByRole('button', { name: 'Confirm code', exact: true }).click()
      await page.getByRole('button', { name: 'Add app' }).waitFor()
      expect((await own.get('/console/v1/second-factor')).body).toMatchObject({ totp: false })
    })
  })

  test('a new password ends the other sessions, and this one goes on', async () => {
    const { page, email } = await openAccount()
    const other = new Client(server)
    await other.signIn(email)
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill('seven green bottles')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').waitFor()
    expect((await other.get('/console/v1/me')).status).toBe(401)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    expect((await other.signIn(email, 'seven green bottles')).status).toBe(200)
  })

  test('the name is changed, and other sessions are ended one by one or together', async () => {
    const { page, email } = await openAccount()
    await page.getByRole('textbox', { name: /^Name/ }).fill('Ada King')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await page.getByRole('button', { name: 'Account of Ada King' }).waitFor()
    const others = [new Client(server), new Client(server), new Client(server)]
    for (const client of others) await client.signIn(email)
    const live = async () =>
      (await Promise.all(others.map((client) => client.get('/console/v1/me')))).filter(({ status }) => status === 200)
    await page.reload()
    await page
      .getByRole('button', { name: /^End session of/ })
      .first()
      .click()
    await until('one session has ended', async () => (await live()).length === 2)
    await page.getByRole('button', { name: 'End other sessions' }).click()
    await until('all other sessions have ended', async () => (await live()).length === 0)
    expect((await page.request.get('/console/v1/me')).status()).toBe(200)
  })

  test('a session that was ended elsewhere leads to the sign-in page, and from there back to where one was', async () => {
    const { page, email } = await openAccount()
    await page.goto('/transactions?status=pending')
    await untilShown(page)
    const other = new Client(server)
    await other.signIn(email)
    await other.send('DELETE', '/console/v1/sessions')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await signIn(page, email)
    await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
    expect(new URL(page.url()).search).toBe('?status=pending')
  })

  test('a session that has expired asks to sign in over the page, and the page goes on', async () => {
    const { page } = await openAccount()
    server.clock.advance(61 * 60_000)
    await page.getByRole('link', { name: 'Holders' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel(/^Password/).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'Holders' }).waitFor()
    // The refusal stays below the dialog until the page has read its list again.
    await until('the refusal is gone', async () => (await page.getByRole('alert').count()) === 0)
    await untilShown(page)
    expect(await dialog.count()).toBe(0)
  })

  test('the keyboard alone reaches the account and adds a passkey', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/')
    await untilShown(page)
    await addDevice(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('your account')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    const add = page.getByRole('button', { name: 'Add passkey' })
    await until('the focus is on the button', async () => {
      if (await add.evaluate((button) => button.matches(':focus'))) return true
      await page.keyboard.press('Tab')
      return false
    })
    await page.keyboard.press('Enter')
    await page.getByLabel('Current password').last().waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /Chrome.*localhost/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/my-account')
  })
})

/** Gives the page a device that keeps passkeys and verifies its owner, as far as the page can tell. */
async function addDevice(page: Page, { isUserVerified = true } = {}): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  })
  return session
}
