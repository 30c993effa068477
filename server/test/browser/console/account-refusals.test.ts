// Forms of a person: signing in, links, the profile, passwords and second factors. What the server refuses stands beside the field.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDemoOwner, makeFirstLinks } from '../../../src/setup/first-people.ts'
import { addTotp, codeOf, invite, join, PASSWORD } from '../../api/people/people.ts'
import { byName } from '../../api/people/software-authenticator.ts'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { openBrowser, openConsole } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import {
  expectRefusals,
  expectFocus,
  expectMessage,
  expectNoMessage,
  fieldOf,
  type RefusedForm,
  type WrongField,
} from '../../support/refused-fields.ts'

const MARK = '\u200E'
const WRONG_PASSWORD = {
  wrong: 'not the password',
  right: PASSWORD,
  says: 'The password is wrong. Check it and try again.',
}
const NEW_PASSWORD: WrongField = {
  label: 'New password',
  wrong: 'short',
  right: 'a loud horse runs home again',
  says: 'Choose another one.',
}
const CURRENT_PASSWORD: WrongField = { label: 'Current password', ...WRONG_PASSWORD }

const opens = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('dialog').waitFor()
}

describeInBrowser('forms of a person', () => {
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

  const openOwn = async () => (await openConsole(browser, server, { company })).page
  const form = (name: string, fields: readonly WrongField[], more: Partial<RefusedForm>): RefusedForm => ({
    form: name,
    path: '/my-account',
    button: 'Continue',
    fields,
    ...more,
  })

  test('the profile, and an address that somebody else has', async () => {
    const other = await join(server, 'viewer', company)
    const says = 'Another account has this e-mail address. Choose another one.'
    const page = await openOwn()
    await expectRefusals(
      page,
      form(
        'profile',
        [
          { label: 'Name', wrong: MARK, right: 'Ada King', says: 'Name must be a name of 1 to 255 characters' },
          {
            label: 'E-mail',
            wrong: 'ada',
            right: 'ada.king@example.com',
            says: 'E-mail must be an e-mail address such as ada@example.com.',
          },
          { label: 'E-mail', wrong: other.email, right: 'ada.king@example.com', says },
        ],
        {
          button: 'Save profile',
          open: async (opened) => {
            await fieldOf(opened, 'E-mail').fill('ada.king@example.com')
            await fieldOf(opened, 'Current password').first().fill(PASSWORD)
          },
          done: (opened) => opened.getByText('Profile saved.').waitFor(),
        },
      ),
    )
  })

  test('the password', async () => {
    const page = await openOwn()
    const panel = page.getByRole('region', { name: 'Password' })
    await page.goto('/my-account')
    await fieldOf(panel, 'Current password').fill('not the password')
    await fieldOf(panel, 'New password').fill('a loud horse runs home again')
    await panel.getByRole('button', { name: 'Change password' }).click()
    await expectMessage(fieldOf(panel, 'Current password'), WRONG_PASSWORD.says)
    await expectFocus(fieldOf(panel, 'Current password'))
    await fieldOf(panel, 'Current password').fill(PASSWORD)
    await expectNoMessage(fieldOf(panel, 'Current password'))
    await fieldOf(panel, 'New password').fill('short')
    await panel.getByRole('button', { name: 'Change password' }).click()
    await expectMessage(fieldOf(panel, 'New password'), NEW_PASSWORD.says)
    await expectFocus(fieldOf(panel, 'New password'))
    await fieldOf(panel, 'New password').fill(NEW_PASSWORD.right)
    await panel.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').waitFor()
  })

  test('an authenticator app: the password, then the code', async () => {
    const page = await openOwn()
    await expectRefusals(page, form('app', [CURRENT_PASSWORD], { open: opens('Add app') }))
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    const code = fieldOf(page, 'Code')
    await code.fill('000000')
    await page.getByRole('button', { name: 'Confirm app' }).click()
    await expectMessage(code, 'Wrong or already used code. Enter the next one from your app.')
    await expectFocus(code)
    const secret = (await page.getByRole('dialog').locator('code').first().textContent()) ?? ''
    await code.fill(codeOf(secret.replaceAll(' ', ''), server))
    await page.getByRole('button', { name: 'Confirm app' }).click()
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  })

  test('a passkey: the password', async () => {
    const page = await openOwn()
    await expectRefusals(
      page,
      form('passkey', [CURRENT_PASSWORD], { open: opens('Add passkey'), button: 'Add passkey' }),
    )
  })

  test('signing in: the address, the password, and the code', async () => {
    const person = await join(server, 'owner', company)
    const { secret } = await addTotp(person)
    const { page } = await openBrowser(browser, server)
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const [email, password] = [fieldOf(page, 'E-mail'), fieldOf(page, 'Password')]
    await expectMessage(email, 'E-mail must be an e-mail address such as ada@example.com.')
    await expectMessage(password, 'Password must be a password of 1 to')
    await expectFocus(email)
    await page.getByText('Correct “E-mail”, “Password”.').waitFor()
    await email.fill(person.email)
    await expectNoMessage(email)
    await password.fill('not the password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    // Which of the two is wrong is not said.
    await page.getByRole('alert').filter({ hasText: 'The e-mail address or the password is wrong.' }).waitFor()
    await expectNoMessage(password)
    await expect.poll(() => page.locator(':focus').count()).toBe(1)
    await password.fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const code = fieldOf(page, 'Code')
    await code.fill('000000')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expectMessage(code, 'Wrong or already used code. Enter the next one from your app.')
    await expectFocus(code)
    server.clock.advance(30_000)
    await code.fill(codeOf(secret, server))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: /^Account of/ }).waitFor()
    server.clock.advance(11 * 60_000)
    await page.goto('/my-account')
    await fieldOf(page, 'E-mail').fill('another@example.com')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await checkSecondFactor(page, secret)
    await page.getByText('Profile saved.').waitFor()
  })

  const checkSecondFactor = async (page: Page, secret: string) => {
    const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
    const code = fieldOf(dialog, 'Code')
    await code.fill('000000')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expectMessage(code, 'Wrong or already used code. Enter the next one from your app.')
    await expectFocus(code)
    await code.fill(codeOf(secret, server))
    await dialog.getByRole('button', { name: 'Confirm' }).click()
  }

  test('an invitation: the name and the password', async () => {
    const { url } = await invite(server, 'viewer', { company })
    const { page } = await openBrowser(browser, server)
    await expectRefusals(
      page,
      form(
        'invitation',
        [
          {
            label: 'Your name',
            wrong: MARK,
            right: 'Ada King',
            says: 'Your name must be a name of 1 to 255 characters',
          },
          NEW_PASSWORD,
        ],
        {
          path: url,
          button: 'Create account',
          done: (opened) => opened.getByRole('button', { name: /^Account of/ }).waitFor(),
        },
      ),
    )
  })

  test('a link for a new password', async () => {
    const person = await join(server, 'viewer', company)
    const owner = await join(server, 'owner', company)
    const { body } = await owner.get<{ data: { id: string; email: string }[] }>('/api/v1/people', {
      company: company.wireId,
    })
    const found = body.data.find(({ email }) => email === person.email)
    const made = await owner.post<{ url: string }>(`/api/v1/people/${found?.id}/reset`, {}, { company: company.wireId })
    const { page } = await openBrowser(browser, server)
    await expectRefusals(
      page,
      form('reset', [NEW_PASSWORD], {
        path: made.body.url,
        button: 'Change password',
        done: (opened) => opened.getByRole('button', { name: /^Account of/ }).waitFor(),
      }),
    )
  })

  test('the first sign-in by a link', async () => {
    const { db, clock, app, baseUrl } = server
    await createDemoOwner({ db, clock }, company.id)
    const { demoOwner = '' } = await makeFirstLinks({ db, clock, keyring: app.keyring, baseUrl: () => baseUrl })
    const { page } = await openBrowser(browser, server)
    await expectRefusals(
      page,
      form('first password', [NEW_PASSWORD], {
        path: demoOwner,
        open: async (opened) => {
          await opened.getByRole('button', { name: 'Open console' }).click()
          await opened.getByRole('heading', { name: 'How will you sign in next time?' }).waitFor()
        },
        button: 'Set password',
        done: (opened) => opened.getByRole('button', { name: /^Account of/ }).waitFor(),
      }),
    )
  })
})
