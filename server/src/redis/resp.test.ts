// The wire format of Redis, with replies that arrive in pieces and replies that are none.
import { describe, expect, it } from 'vitest'
import { createReplyReader, encodeCommand, RedisError } from './resp.ts'

const TEXT =
  '+OK\r\n:42\r\n$5\r\nh\u00e9llo\r\n'.replace('$5', '$6') + '$-1\r\n*2\r\n:1\r\n$0\r\n\r\n*-1\r\n-ERR no\r\n'
const REPLIES = ['OK', 42, 'h\u00e9llo', null, [1, ''], null, new RedisError('ERR no')]

describe('replies', () => {
  it('are read one after the other', () => {
    expect(createReplyReader()(Buffer.from(TEXT))).toEqual(REPLIES)
  })

  it('are read byte by byte', () => {
    const read = createReplyReader()
    expect([...Buffer.from(TEXT)].flatMap((byte) => read(Buffer.from([byte])))).toEqual(REPLIES)
  })

  it.each(['HTTP/1.1 200 OK\r\n', ':one\r\n', '$-2\r\n', '*99999\r\n', '*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n'])(
    '%j is refused',
    (text) => expect(() => createReplyReader()(Buffer.from(text))).toThrow(/reply/),
  )
})

it('commands count bytes, not characters', () => {
  expect(encodeCommand(['GET', 'h\u00e9'])).toBe('*2\r\n$3\r\nGET\r\n$3\r\nh\u00e9\r\n')
})
