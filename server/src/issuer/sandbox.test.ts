// The exact names and amounts that decide what the sandbox issuer does.
import { expect, it } from 'vitest'
import { behaviourOf, last4Of } from './sandbox.ts'

it.each([
  ['fail', 1000n, 'fail'],
  ['unknown', 1000n, 'unknown'],
  ['slow', 1000n, 'slow'],
  ['Ada', 1066n, 'fail'],
  ['Ada', 1077n, 'unknown'],
  ['Ada', 1088n, 'slow'],
  [undefined, 1066n, 'fail'],
  ['unknown', 1066n, 'unknown'],
  ['Ada', 1000n, 'complete'],
  [undefined, 1000n, 'complete'],
  ['Fail', 1000n, 'complete'],
  ['fail ', 1000n, 'complete'],
  ['complete', 1065n, 'complete'],
  ['constructor', 1000n, 'complete'],
  ['__proto__', 1000n, 'complete'],
  ['toString', 106600n, 'complete'],
])('the text %j and the amount %i give %s', (text, amount, behaviour) => {
  expect(behaviourOf(text, amount)).toBe(behaviour)
})

it.each([
  ['019cd79f-3c18-71bc-82b4-a4e200000000', '0000'],
  ['019cd79f-3c18-71bc-82b4-a4e200000007', '0007'],
  ['019cd79f-3c18-71bc-82b4-a4e2ffffffff', '7295'],
])('the token %s makes a card ending in %s', (token, last4) => {
  expect(last4Of(token)).toBe(last4)
})
