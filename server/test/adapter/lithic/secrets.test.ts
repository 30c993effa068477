// The number and the CVV of a card, and the key, are in nothing that leaves the provider: no outcome, fact, object, event, error or log line.
import { afterAll, expect, test, vi } from 'vitest'
import { setEvents } from '../../../src/adapter/simulators/kit/behaviour.ts'
import { purchase } from '../../../src/adapter/simulators/lithic/payments.ts'
import { transmit } from '../../../src/issuer/http/transmit.ts'
import { must } from '../../../src/lib/invariant.ts'
import { API_KEY, LithicWorld } from './world.ts'

const lithic = await LithicWorld.start()
afterAll(() => lithic.stop())

/** Text in which functions are left out and big integers are numbers. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, field: unknown) => (typeof field === 'bigint' ? field.toString() : field))
}

function expectNoSecret(value: unknown): void {
  const text = textOf(value)
  const card = must([...lithic.world.cards.values()].at(-1))
  expect(text).not.toContain(card.pan)
  expect(text).not.toMatch(/"(pan|cvv)"/)
  expect(text).not.toContain(`"${card.cvv}"`)
  expect(text).not.toContain(API_KEY)
}

test('answers with a card number in them leave nothing of it behind, whatever becomes of the call', async () => {
  const written = vi.spyOn(process.stdout, 'write')
  const texts: string[] = []
  const provider = lithic.createProvider({
    transmit: async (outgoing) => {
      const answer = await transmit(outgoing)
      if (answer.kind === 'answered') texts.push(answer.body)
      return answer
    },
  })
  const { cursor } = await provider.poll(undefined)
  const request = lithic.issue()
  await lithic.run(request, provider)
  const cardId = must(request.body.cardId)
  for (const status of ['frozen', 'active'] as const) await lithic.run(lithic.setStatus(cardId, status), provider)
  lithic.behave('updateCard', 'unfit')
  await lithic.run(lithic.setStatus(cardId, 'frozen'), provider)
  await lithic.run(lithic.setStatus(cardId, 'closed'), provider)
  purchase(lithic.world, { card: must(lithic.objects.get(cardId)).providerId, amount: 1n })
  setEvents(lithic.world, { mode: 'repeated' })
  const polled = await provider.poll(cursor)
  expect(polled.events.length).toBeGreaterThan(0)
  // The answers did have the number: otherwise the rest would prove nothing.
  const { pan, cvv } = must([...lithic.world.cards.values()].at(-1))
  expect(texts.some((text) => text.includes(pan) && text.includes(`"cvv":"${cvv}"`))).toBe(true)
  expectNoSecret(lithic.seen)
  expectNoSecret([...lithic.objects.values()])
  expectNoSecret(polled)
  expectNoSecret(written.mock.calls.map(([text]) => String(text)))
  written.mockRestore()
})

test.each([
  [200, (pan: string) => JSON.stringify({ pan, cvv: '776', token: 'not a card' })],
  [200, (pan: string) => `not JSON ${pan}`],
  [400, (pan: string) => JSON.stringify({ debugging_request_id: '1', message: `The card ${pan} is not valid.` })],
  [409, (pan: string) => JSON.stringify({ message: `4111 1110 ${pan.slice(8)} ada@example.com` })],
  [500, (pan: string) => JSON.stringify({ message: pan })],
] as const)('an unexpected answer (%d) with a card number is described without it', async (status, body) => {
  const { id } = await lithic.card()
  const { pan } = must([...lithic.world.cards.values()].at(-1))
  const provider = lithic.createProvider({
    transmit: async () => ({ kind: 'answered', status, headers: {}, body: body(pan) }),
  })
  const outcomes = [
    await lithic.run(lithic.topUp(id), provider),
    await lithic.run(lithic.setStatus(id, 'frozen'), provider),
    await lithic.run(lithic.issue(), provider),
  ]
  const errors = await Promise.allSettled([
    provider.check(),
    provider.readFloat(),
    provider.poll('2026-01-01T00:00:00.000Z/1'),
  ])
  expectNoSecret(outcomes)
  expectNoSecret(errors.map((settled) => (settled.status === 'rejected' ? String(settled.reason) : settled.value)))
  expect(textOf(outcomes)).not.toContain('ada@example.com')
})
