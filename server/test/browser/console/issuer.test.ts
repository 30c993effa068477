// The page of the live issuer: what it says while all is well, while something waits, and while the issuer does not answer.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addHolder } from '../../api/rows.ts'
import { AdapterWorld } from '../../support/adapter.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { until } from '../../support/wait.ts'
import { openAs, openProved } from './open-as.ts'

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
    expect(text).toContain('Crediting a card account does not fund the provider.')
    expect(text).toContain('it does not answer')
  })

  test('leads the holder of a live card to the page with its number', async () => {
    const company = await world.createCompany()
    const holderId = await addHolder(world.server, company.scope)
    const order = { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '50', name: 'Travel' }
    await world.server.post('/api/v1/operations', company.key, order)
    const cardId = await until('the card is there', async () => {
      const cards = await world.server.get<{ data: { id: string }[] }>('/api/v1/cards', company.key)
      return cards.body.data[0]?.id ?? false
    })
    const page = await openProved(browser, world.server, 'owner', company)
    await page.goto('/cards')
    await page.getByRole('button', { name: 'Switch to live' }).click()
    await page.getByText('Travel').first().waitFor()
    await page.goto(`/cards/${cardId}`)
    await page.getByRole('button', { name: 'Show number' }).click()
    const link = page.getByRole('link', { name: 'Open the provider’s page' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/bank\.example\/cards\/.+\/number$/)
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    expect(await findViolations(page)).toEqual([])
  })

  test('says that nothing is known while the issuer does not answer', async () => {
    await world.stopAdapter()
    const page = await openAs(browser, world.server, 'operator')
    await page.goto('/operator/issuer')
    await page.getByText('The issuer does not answer').waitFor()
    const text = await page.getByRole('main').innerText()
    expect(text).toContain('The state of its cards and deposits is not known.')
    expect(text).not.toContain('Received, not yet moved')
  })
})
