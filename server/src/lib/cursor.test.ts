// Cursors: only a cursor that the server made for the same binding is accepted.
import { describe, expect, it } from 'vitest'
import { createCursorCodec } from './cursor.ts'

const ID = '019cd79e-4600-7000-8000-0123456789ab'
const codec = createCursorCodec(() => [Buffer.alloc(32, 1)])

describe.each([
  { id: ID },
  { id: ID, at: new Date('2026-03-10T12:00:00.123Z') },
  { id: ID, name: '' },
  { id: ID, name: 'ångström & söhne' },
])('a cursor of %j', (position) => {
  const cursor = codec.encode('list', position)

  it('returns its position and reveals nothing else', () => {
    expect(codec.find('list', cursor)).toEqual(position)
    if (!('name' in position)) expect(cursor).toMatch('at' in position ? /^[\w-]{54}$/ : /^[\w-]{43}$/)
  })

  it('is refused with another binding or another key', () => {
    expect(codec.find('other', cursor)).toBeUndefined()
    expect(createCursorCodec(() => [Buffer.alloc(32, 2)]).find('list', cursor)).toBeUndefined()
  })

  it.each([
    '',
    'x',
    cursor.slice(1),
    `${cursor}A`,
    `${cursor}=`,
    `A${cursor.slice(1)}B`,
    cursor.replace(/.$/, '*'),
    ` ${cursor}`,
  ])('%j is refused', (text) => {
    expect(codec.find('list', text)).toBeUndefined()
  })

  it('is refused with any bit flipped', () => {
    const bytes = Buffer.from(cursor, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes)
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(codec.find('list', forged.toString('base64url'))).toBeUndefined()
    }
  })
})
