// Which errors mean "try again later", and which are our own defects.
import { describe, expect, it } from 'vitest'
import { DatabaseUnreachableError, isUnavailable } from './unavailable.ts'

const withCode = (code: string) => Object.assign(new Error('from the database'), { code })

describe('the database cannot do it now', () => {
  it.each([
    ['53000', 'insufficient resources'],
    ['53100', 'disk full'],
    ['53200', 'out of memory'],
    ['53300', 'too many connections'],
    ['53400', 'configuration limit exceeded'],
    ['57000', 'operator intervention'],
    ['57014', 'query canceled'],
    ['57P01', 'admin shutdown'],
    ['57P02', 'crash shutdown'],
    ['57P03', 'cannot connect now'],
    ['57P04', 'database dropped'],
    ['57P05', 'idle session timeout'],
    ['58000', 'system error'],
    ['58030', 'io error'],
    ['08000', 'connection exception'],
    ['08001', 'unable to establish connection'],
    ['08006', 'connection failure'],
    ['25006', 'read only transaction'],
    ['40001', 'serialization failure'],
    ['40P01', 'deadlock detected'],
    ['55P03', 'lock not available'],
    ['ECONNREFUSED', 'nobody listens'],
    ['ECONNRESET', 'the connection broke'],
    ['EHOSTUNREACH', 'no route'],
    ['ENOENT', 'no socket'],
  ])('%s (%s)', (code) => expect(isUnavailable(withCode(code))).toBe(true))

  it.each([
    'Query read timeout',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
  ])('"%s"', (message) => expect(isUnavailable(new Error(message))).toBe(true))

  it('and when it is known not to answer', () => expect(isUnavailable(new DatabaseUnreachableError())).toBe(true))
})

describe('it is our defect', () => {
  it.each(['23505', '23514', '42601', '42P01', '22P02', 'XX000', '25P02', '55000', 'P0001', '5310', 'EINVAL'])(
    '%s',
    (code) => expect(isUnavailable(withCode(code))).toBe(false),
  )
  it('whatever is not an error', () => {
    for (const value of [undefined, null, '53100', { code: '53100' }]) expect(isUnavailable(value)).toBe(false)
  })
})
