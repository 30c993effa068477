// Which connections count together. That they are closed is tested over the network (test/api/kernel/raw-socket).
import { EventEmitter } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { NO_PROXIES } from '../lib/client-address.ts'
import { createLog } from '../lib/log.ts'
import { limitConnections } from './connections-per-address.ts'

it('connections from one IPv6 network count together, and IPv4 in either notation', () => {
  const server = new EventEmitter()
  let refused = 0
  limitConnections({ server } as unknown as FastifyInstance, {
    max: 2,
    trustedProxies: NO_PROXIES,
    log: createLog({ level: 'silent' }),
    onRefused: () => (refused += 1),
  })
  const connect = (remoteAddress: string) => {
    const before = refused
    server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, destroy: () => undefined }))
    return refused === before
  }
  expect(['2001:db8::1', '2001:db8::2', '2001:db8::3'].map(connect)).toEqual([true, true, false])
  expect(connect('2001:db8:0:1::1')).toBe(true)
  expect(['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1'].map(connect)).toEqual([true, true, false])
})
