// QR codes are drawn once for a page that is loaded again and again, and the memory for them is bounded.
import { expect, it } from 'vitest'
import { createPayCodes } from './pay-code.ts'

it('a page that is loaded again is not drawn again', () => {
  const drawn: string[] = []
  const codeOf = createPayCodes((uri) => {
    drawn.push(uri)
    return `code of ${uri}`
  })
  expect(['one', 'two', 'one', 'two', 'one'].map(codeOf)).toEqual(
    ['one', 'two', 'one', 'two', 'one'].map((uri) => `code of ${uri}`),
  )
  expect(drawn).toEqual(['one', 'two'])
  for (let index = 0; index < 1_000; index += 1) {
    codeOf(`other ${index}`)
    codeOf('one')
  }
  // The one that is loaded all the time stays, and the others make room.
  expect(drawn.filter((uri) => uri === 'one')).toHaveLength(1)
  codeOf('two')
  expect(drawn.filter((uri) => uri === 'two')).toHaveLength(2)
})

it('the code names the image for those who cannot see it, and is the same each time', () => {
  const [first, second] = [createPayCodes(), createPayCodes()].map((codeOf) => codeOf('tron:T?amount=1'))
  expect(first).toMatch(/^<svg role="img" aria-label="QR code with the address and the exact amount" /)
  expect(first).toBe(second)
})
