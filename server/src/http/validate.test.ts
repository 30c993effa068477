// The message for a refused body or query names the field and says what it must be.
import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { createCheck, createValidatorCompiler, validationError } from './validate.ts'
import { Amount, nullable, object, pageQuery, positiveAmount } from '../lib/wire.ts'

const compile = createValidatorCompiler()

function refusal(schema: TSchema, value: unknown, httpPart = 'body') {
  const check = compile({ schema, httpPart, method: 'POST', url: '/' }) as ((value: unknown) => boolean) & {
    errors: Parameters<typeof validationError>[0]
  }
  return check(value) ? undefined : validationError(check.errors, httpPart)
}

function problems(schema: TSchema, value: unknown, httpPart = 'body'): string | undefined {
  return refusal(schema, value, httpPart)?.message
}

describe('a body', () => {
  const schema = object({
    amount: Amount,
    kind: Type.Enum(['a', 'b']),
    note: Type.Optional(nullable(Type.String())),
    deep: Type.Optional(object({ list: Type.Array(Type.String()) })),
  })
  const valid = { amount: '1.00', kind: 'a' }
  it.each([
    [valid, undefined],
    [{ ...valid, note: null }, undefined],
    [{ kind: 'a' }, 'body.amount is required.'],
    [{ ...valid, amount: 1 }, 'body.amount must be a decimal string with up to two decimals, such as "25.00".'],
    [{ ...valid, amount: '1.001' }, 'body.amount must be a decimal string with up to two decimals, such as "25.00".'],
    [{ ...valid, kind: 'c' }, 'body.kind must be one of a, b.'],
    [{ ...valid, x: 1 }, 'body.x is not a known field here; remove it.'],
    [{ ...valid, deep: { list: ['a', 1] } }, 'body.deep.list.1 must be string.'],
    [{ amount: '1', kind: 7, y: 1 }, 'body.y is not a known field here; remove it; body.kind must be one of a, b.'],
    [[], 'body must be object.'],
    [null, 'body must be object.'],
  ])('%j: %s', (value, message) => expect(problems(schema, value)).toBe(message))
})

describe('a very long body', () => {
  const schema = object({ list: Type.Array(object({ amount: Amount }), { maxItems: 9, hint: 'a list' }) })

  it('is not searched for every problem, so that no client keeps the server busy with them', () => {
    const found = refusal(schema, { list: Array.from({ length: 10_000 }, () => ({})) })
    expect(found?.details).toEqual({ problems: ['body.list must be a list'] })
    const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x${index}`, 1]))
    expect(refusal(schema, { list: [], ...fields })?.message).toBe('body.x0 is not a known field here; remove it.')
  })

  it('is looked at once for a problem', () => {
    let looked = 0
    const item = () => ({
      get amount() {
        looked += 1
        return 'none'
      },
    })
    const long = object({ list: Type.Array(object({ amount: Amount })) })
    expect(refusal(long, { list: Array.from({ length: 10_000 }, item) })?.param).toBe('list.0.amount')
    expect(looked).toBeLessThan(1_000)
  })
})

describe('the field that a refusal names', () => {
  const schema = object({
    amount: Amount,
    prices: Type.Optional(object({ rate: Type.String() })),
  })
  it.each([
    [{}, 'body', 'amount'],
    [{ amount: '1', x: 1 }, 'body', 'x'],
    [{ amount: '1', prices: { rate: 1 } }, 'body', 'prices.rate'],
    [{ amount: '1', prices: {} }, 'body', 'prices.rate'],
    [[], 'body', undefined],
    [{ amount: 'x' }, 'querystring', 'amount'],
  ])('%j in the %s: %s', (value, part, param) => expect(refusal(schema, value, part)?.param).toBe(param))

  it('is the first one when several are wrong', () => {
    const found = refusal(schema, { prices: { rate: 1 } })
    expect(found?.param).toBe('amount')
    expect(found?.details).toEqual({ problems: ['body.amount is required', 'body.prices.rate must be string'] })
  })
})

describe('a union', () => {
  const branch = (type: string) => object({ type: Type.Literal(type), size: Type.Integer() })
  const schema = Type.Unsafe({
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: [branch('a'), branch('b')],
  })
  it.each([
    [{}, 'body.type is required; it must be one of a, b.'],
    [{ type: 'c' }, 'body.type must be one of a, b.'],
    [{ type: 7 }, 'body.type must be one of a, b.'],
    [{ type: 'b' }, 'body.size is required.'],
  ])('%j: %s', (value, message) => expect(problems(schema, value)).toBe(message))
})

describe('the sign of an amount', () => {
  const schema = object({ fee: Amount, amount: positiveAmount('a refund is made elsewhere') })
  it.each([
    [{ fee: '1', amount: '-5.00' }, 'body.amount must be positive, without a sign: a refund is made elsewhere.'],
    [{ fee: '1', amount: -5 }, 'body.amount must be positive, without a sign: a refund is made elsewhere.'],
    [{ fee: '-1', amount: '1' }, 'body.fee must be an amount without a sign: it cannot be negative.'],
    [{ fee: '1', amount: '5,00' }, 'body.amount must be a decimal string with up to two decimals, such as "25.00".'],
    [{ fee: '1', amount: '--5' }, 'body.amount must be a decimal string with up to two decimals, such as "25.00".'],
  ])('%j: %s', (value, message) => expect(problems(schema, value)).toBe(message))
})

describe('formats', () => {
  const formatted = (format: string, value: string) =>
    problems(object({ it: Type.String({ format }) }), { it: value }) === undefined
  it.each([
    ['date-time', '2026-01-31T00:00:00Z', true],
    ['date-time', '2026-01-31T00:00:00.123456789+05:30', true],
    ['date-time', '2026-02-30T00:00:00Z', false],
    ['date-time', '2026-01-31', false],
    ['date-time', '2026-01-31T00:00:00', false],
    ['date', '2024-02-29', true],
    ['date', '2025-02-29', false],
    ['date', '2025-2-9', false],
    ['email', 'a@b', true],
    ['email', 'a@b@c', false],
    ['email', 'a b@c', false],
    ['email', '@c', false],
  ])('%s %s: %s', (format, value, expected) => expect(formatted(format, value)).toBe(expected))
})

describe('a query', () => {
  const schema = object(pageQuery)
  it.each([
    [{ limit: '10' }, undefined],
    [{ limit: '0' }, 'query.limit must be a whole number from 1 to 100.'],
    [{ limit: '1e1' }, 'query.limit must be a whole number from 1 to 100.'],
    [{ limit: ' 10' }, 'query.limit must be a whole number from 1 to 100.'],
    [{ limit: 'ten' }, 'query.limit must be a whole number from 1 to 100.'],
    [{ limit: ['1', '2'] }, 'query.limit must be a whole number from 1 to 100.'],
    [{ page: '2' }, 'query.page is not a known field here; remove it.'],
  ])('%j: %s', (value, message) => expect(problems(schema, value, 'querystring')).toBe(message))

  it('converts numbers in a query, never in a body', () => {
    expect(problems(schema, { limit: '10' }, 'body')).toBe('body.limit must be a whole number from 1 to 100.')
  })
})

describe('a check of what does not come from a client', () => {
  const isList = createCheck(Type.Array(object({ amount: Amount })))

  it('accepts what matches the schema', () => {
    expect(isList([{ amount: '1.00' }, { amount: '2' }])).toBe(true)
    expect(isList([{ amount: '1.00' }, { amount: 2 }])).toBe(false)
  })

  it('stops at the first problem, so that a long answer takes no memory for its problems', () => {
    const looked: number[] = []
    const item = (index: number) => ({
      get amount() {
        looked.push(index)
        return 'none'
      },
    })
    expect(isList([item(0), item(1), item(2)])).toBe(false)
    expect(new Set(looked)).toEqual(new Set([0]))
  })
})
