// The page of the live issuer: what it says while all is well, while something waits, and while the issuer does not answer.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AdapterWorld } from '../../support/adapter.ts'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { openAs } from './open-as.ts'

describeInBrowser('the issuer in the console', () => {
  let world: AdapterWorld
  let browser: Browser

  beforeAll(async () => {
    world = await AdapterWorld.start({
      deposits: {
        network: 'nile',
        isCrediting: false,
        message: 'Crediting has stopped: the two nodes disagree.',
        height: 1_000,
        blockTime: '2026-03-10T11:59:57.000Z',
        lag: 4,
        agreement: 'disagree',
        nodes: [
          { name: 'one.example', solidHead: 1_004, lastError: null },
          { name: 'two.example', solidHead: 1_003, lastError: 'it does not answer' },
        ],
        transfersOpen: 2,
        received: '1234.500000',
      },
    })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await world.stop()
  })

  test('says that keys are test keys, what waits, how the chain stands, and the sums to watch', async () => {
    const page = await openAs(browser, world.server, 'operator')
    await page.goto('/operator/issuer')
    await page.getByText('The issuer uses test keys').waitFor()
    const text = await page.getByRole('main').innerText()
    expect(text).toContain('Crediting has stopped: the two nodes disagree.')
    expect(text).toContain('2 transfers belong to no invoice.')
    expect(text).toContain('1234.500000 USDT')
    expect(text).toContain('10,000.00')
    expect(text).toContain('A credit on a card account does not fund the provider.')
    expect(text).toContain('it does not answer')
  })

  test('says that nothing is known while the issuer does not answer', async () => {
    await world.stopAdapter()
    const page = await openAs(browser, world.server, 'operator')
    await page.goto('/operator/issuer')
    await page.getByText('The issuer does not answer').waitFor()
    const text = await page.getByRole('main').innerText()
    expect(text).toContain('How its cards and deposits stand is not known.')
    expect(text).not.toContain('Received and not yet moved away')
  })
})
