// Where a refusal is shown, and in whose words.
import { BadRequestError, ConflictError, UnreachableError } from '@cardstock/sdk'
import { describe, expect, test } from 'vitest'
import { SaidError } from './errors.ts'
import { placeRefusal } from './refusal.ts'

const FIELDS = new Map([
  ['name', 'Name'],
  ['email', 'E-mail'],
  ['holderId', 'Holder'],
  ['allowedCidrs', 'Addresses'],
  ['pricing.minimumAmount', 'Minimum amount in USD'],
  ['pricing.maximumAmount', 'Maximum amount in USD'],
  ['topupPricing.minimumAmount', 'Minimum top-up'],
  ['topupPricing.maximumAmount', 'Maximum top-up'],
])

const place = (message: string, fields: { param?: string; details?: Record<string, unknown> } = {}) => {
  const error = new BadRequestError(message, { code: 'validation_failed', statusCode: 400, ...fields })
  const { messages, rest } = placeRefusal(error, FIELDS)
  return { at: Object.fromEntries(messages), rest }
}

describe('a refusal', () => {
  test('is at its field, which is called as in the form', () => {
    expect(place('body.email must be an e-mail address.', { param: 'email' })).toEqual({
      at: { email: 'E-mail must be an e-mail address.' },
      rest: undefined,
    })
  })

  test('of several fields is at each of them, and only the first of each', () => {
    const problems = ['body.email must be an e-mail address', 'body.email must NOT be long', 'body.name is required']
    expect(place(`${problems.join('; ')}.`, { param: 'email', details: { problems } })).toEqual({
      at: { email: 'E-mail must be an e-mail address.', name: 'Name is required.' },
      rest: undefined,
    })
  })

  test('stays in the box as far as no field shows it', () => {
    const problems = ['body.email must be an e-mail address', 'body.kind must be one of individual, corporate']
    expect(place(`${problems.join('; ')}.`, { param: 'email', details: { problems } })).toEqual({
      at: { email: 'E-mail must be an e-mail address.' },
      rest: 'kind must be one of individual, corporate.',
    })
    expect(place('The company is suspended.')).toEqual({ at: {}, rest: 'The company is suspended.' })
    expect(place('Use a new key.', { param: 'Idempotency-Key' })).toEqual({ at: {}, rest: 'Use a new key.' })
    const lost = placeRefusal(new UnreachableError('ECONNREFUSED', { code: 'unreachable' }), FIELDS)
    expect(lost.rest).toContain('The server did not answer')
  })

  test('of an entry is at the field with the list', () => {
    expect(place('body.allowedCidrs.3 must be a CIDR block.', { param: 'allowedCidrs.3' }).at).toEqual({
      allowedCidrs: 'Addresses, number 4, must be a CIDR block.',
    })
    expect(place('body.allowedCidrs: "x" is not a CIDR block.', { param: 'allowedCidrs' }).at).toEqual({
      allowedCidrs: '"x" is not a CIDR block.',
    })
  })

  test('of one price names the fields of that price', () => {
    const text = (price: string) => `body.${price}.maximumAmount must not be below minimumAmount; leave it out.`
    expect(place(text('pricing'), { param: 'pricing.maximumAmount' }).at).toEqual({
      'pricing.maximumAmount': 'Maximum amount in USD must not be below “Minimum amount in USD”; leave it empty.',
    })
    expect(place(text('topupPricing'), { param: 'topupPricing.maximumAmount' }).at).toEqual({
      'topupPricing.maximumAmount': 'Maximum top-up must not be below “Minimum top-up”; leave it empty.',
    })
  })

  test('after a try without an answer says so in the box, and not only at a field', () => {
    const problems = ['body.email must be an e-mail address']
    const open = { isAfterLostTry: true, isOutcomeUnknown: true, idempotencyKey: 'k' }
    for (const details of [{}, { problems }]) {
      const error = new BadRequestError('No. Send it again with idempotencyKey "k".', {
        ...open,
        code: 'validation_failed',
        param: 'email',
        reason: 'body.email must be an e-mail address',
        details,
      })
      const { messages, rest } = placeRefusal(error, FIELDS)
      expect(Object.fromEntries(messages)).toEqual({ email: 'E-mail must be an e-mail address.' })
      expect(rest).toMatch(/^An earlier try ended without a clear answer\. It is not known/)
    }
  })

  test('that is a sentence stays one', () => {
    const error = new ConflictError('Another account has this e-mail address.', { code: 'email_taken', param: 'email' })
    expect(placeRefusal(error, FIELDS).messages.get('email')).toBe('Another account has this e-mail address.')
    expect(place('There is no such object. Check holderId.', { param: 'holderId' }).at).toEqual({
      holderId: 'There is no such object. Check “Holder”.',
    })
  })

  test('in figures has no quotation marks around them', () => {
    expect(place('The amount must be at least "10.00".').rest).toBe('The amount must be at least 10.00.')
    expect(place('body.name must be a decimal string such as "25.00".').at).toEqual({
      name: 'Name must be a number such as 25.00.',
    })
  })

  test('of the issuer is at each detail, in its own words', () => {
    const refusals = [
      { field: 'name', message: 'Name: too short.' },
      { field: 'other', message: 'Other: no.' },
    ]
    expect(place('Not accepted.', { param: 'values', details: { refusals } })).toEqual({
      at: { name: 'Name: too short.' },
      rest: 'Other: no.',
    })
  })

  test('of the page itself can name a field too', () => {
    expect(placeRefusal(new SaidError('The file is empty.', 'name'), FIELDS).messages.get('name')).toBe(
      'The file is empty.',
    )
  })
})
