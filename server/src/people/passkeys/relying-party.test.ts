// Which names of a server have passkeys, by table.
import { expect, it } from 'vitest'
import { requireRelyingParty } from './relying-party.ts'

it.each([
  ['cards.example.com', undefined, 'cards.example.com', ['https://cards.example.com']],
  ['Cards.Example.com:8443', undefined, 'cards.example.com', ['https://cards.example.com:8443']],
  ['localhost:8080', undefined, 'localhost', ['https://localhost:8080', 'http://localhost:8080']],
  ['a.localhost', undefined, 'a.localhost', ['https://a.localhost', 'http://a.localhost']],
  ['evil.example', 'https://cards.example.com/', 'cards.example.com', ['https://cards.example.com']],
  ['10.0.0.1', 'http://localhost:9', 'localhost', ['http://localhost:9']],
])('%s with PUBLIC_URL %s has passkeys for %s', (host, publicUrl, id, origins) => {
  expect(requireRelyingParty({ host }, publicUrl)).toEqual({ id, origins })
})

it.each([
  ['127.0.0.1:8080', undefined],
  ['[::1]:8080', undefined],
  ['', undefined],
  ['not a host', undefined],
  ['cards.example.com', 'https://192.0.2.1'],
  ['cards.example.com', 'https://[2001:db8::1]'],
])('%s with PUBLIC_URL %s has none', (host, publicUrl) => {
  expect(() => requireRelyingParty({ host }, publicUrl)).toThrow('domain name')
})
