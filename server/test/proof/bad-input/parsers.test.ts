// What every parser of the server's edge promises for any text: it never throws anything but its refusal, it accepts exactly
// the documented form, and it reads back what the server wrote. `npm run parsers` runs the same properties for longer.
import { BlockList } from 'node:net'
import fc from 'fast-check'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { amounts } from '../../../../sdk/src/amounts.ts'
import { webhooks, WebhookVerificationError } from '../../../../sdk/src/webhooks.ts'
import { addCidr } from '../../../src/access/caller.ts'
import { requireCidrs } from '../../../src/keys/keys.ts'
import { findTokenKind, makeToken, TOKEN_KINDS } from '../../../src/access/tokens.ts'
import { ApiError } from '../../../src/errors.ts'
import { parseJson } from '../../../src/http/body.ts'
import { requireIdempotencyKey } from '../../../src/http/idempotency-key.ts'
import { findDate, findDateTime } from '../../../src/http/instant.ts'
import { findForgery, sign, type Signed } from '../../../src/issuer/http/signature.ts'
import { clientAddress, findTrustedProxies } from '../../../src/lib/client-address.ts'
import { createCursorCodec } from '../../../src/lib/cursor.ts'
import { findId, formatId, newId } from '../../../src/lib/ids.ts'
import { findCents, formatCents } from '../../../src/lib/money.ts'
import { formatTronAddress, isTronAddress } from '../../../src/tron/address.ts'
import { findMicros, formatMicros } from '../../../src/tron/usdt.ts'
import {
  asTotpCode,
  findTotpStep,
  makeTotpSecret,
  normaliseRecoveryCode,
} from '../../../src/people/second-factor/codes.ts'
import { isNeverAllowed, isPublicAddress } from '../../../src/webhooks/address.ts'
import { signatureHeaders, signingKeys } from '../../../src/webhooks/sign.ts'
import { requireUrl } from '../../../src/webhooks/url.ts'
import { anyText, changedText, nearMiss } from './near-misses.ts'

const RUNS = Number(process.env['PARSER_RUNS'] ?? '200')
/** Properties that compute many digests, or wait for Web Crypto. */
const SLOW_RUNS = Math.ceil(RUNS / 10)
const SEED = process.env['PARSER_SEED']
const options = (numRuns = RUNS) => (SEED === undefined ? { numRuns } : { numRuns, seed: Number(SEED) })
const check = <T>(property: fc.IProperty<T>, numRuns?: number) => fc.assert(property, options(numRuns))
/** For a million runs of each property. */
const TIMEOUT_MS = 3_600_000

const NOW = new Date('2026-03-10T12:00:00Z')
const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: min, maxLength: max })
const decimal = (whole: number, fraction: number) =>
  fc.oneof(
    digits(1, whole),
    fc.tuple(digits(1, whole), digits(1, fraction)).map((parts) => parts.join('.')),
  )

/** Returns what was thrown, or undefined. */
function refusalOf(call: () => unknown): unknown {
  try {
    call()
    return undefined
  } catch (error) {
    return error
  }
}

describe('amounts', { timeout: TIMEOUT_MS }, () => {
  /** Reads a decimal digit by digit, as a person would. */
  function readDecimal(text: string, decimals: number): bigint | undefined {
    const [whole = '', fraction, ...rest] = text.split('.')
    const isDigits = (part: string) => part !== '' && part.split('').every((digit) => '0123456789'.includes(digit))
    if (rest.length > 0 || !isDigits(whole)) return undefined
    if (fraction === undefined) return BigInt(whole) * 10n ** BigInt(decimals)
    if (!isDigits(fraction) || fraction.length > decimals) return undefined
    return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction) * 10n ** BigInt(decimals - fraction.length)
  }

  it('of dollars are read exactly or refused', () => {
    check(
      fc.property(nearMiss(decimal(12, 3)), (text) => {
        expect(findCents(text)).toBe(text.length > 13 ? undefined : readDecimal(text, 2))
      }),
    )
  })
  it('of dollars come back as they were written, in the server and in the SDK', () => {
    check(
      fc.property(fc.bigInt(0n, 999_999_999_999n), (value) => {
        expect(findCents(formatCents(value))).toBe(value)
        expect(amounts.parse(formatCents(-value))).toBe(-value)
      }),
    )
  })
  it('of USDT are read exactly or refused', () => {
    check(
      fc.property(nearMiss(decimal(11, 7)), (text) => {
        const isShort = (text.split('.')[0] ?? '').length <= 9
        expect(findMicros(text)).toBe(isShort ? readDecimal(text, 6) : undefined)
      }),
    )
  })
  it('of USDT come back as they were written', () => {
    check(
      fc.property(fc.bigInt(0n, 999_999_999_999_999n), (value) => {
        expect(findMicros(formatMicros(value))).toBe(value)
      }),
    )
  })
  it('that the server reads are the same for the SDK, and the SDK throws only a RangeError', () => {
    check(
      fc.property(nearMiss(decimal(12, 3)), (text) => {
        const value = findCents(text)
        const refusal = refusalOf(() => amounts.parse(text))
        if (value === undefined) expect(refusal === undefined || refusal instanceof RangeError).toBe(true)
        else expect(amounts.parse(text)).toBe(value)
      }),
    )
  })
})

it('an idempotency key is 1 to 128 visible ASCII characters', { timeout: TIMEOUT_MS }, () => {
  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCodePoint(code)),
    maxLength: 130,
  })
  check(
    fc.property(nearMiss(visible), (text) => {
      const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
      const isRight = text.length >= 1 && text.length <= 128 && codes.every((code) => code > 0x20 && code < 0x7f)
      const refusal = refusalOf(() => expect(requireIdempotencyKey(text)).toBe(text))
      if (isRight) expect(refusal).toBeUndefined()
      else expect(refusal).toBeInstanceOf(ApiError)
    }),
  )
})

describe('cursors', { timeout: TIMEOUT_MS }, () => {
  const codec = createCursorCodec(() => [Buffer.alloc(32, 1)])
  const position = fc.record(
    { id: fc.uuid({ version: 7 }), at: fc.date({ min: new Date(0), noInvalidDate: true }) },
    { requiredKeys: ['id'] },
  )
  it('are read back as their position, and only for their own list', () => {
    check(
      fc.property(position, anyText, anyText, (given, list, other) => {
        const cursor = codec.encode(list, given)
        expect(codec.find(list, cursor)).toEqual(given)
        if (other !== list) expect(codec.find(other, cursor)).toBeUndefined()
      }),
    )
  })
  it('that were changed are refused', () => {
    check(
      fc.property(changedText(position.map((given) => codec.encode('list', given))), ([cursor, changed]) => {
        expect(codec.find('list', cursor)).toBeDefined()
        expect(codec.find('list', changed)).toBeUndefined()
      }),
    )
  })
})

describe('the signature of an issuer', { timeout: TIMEOUT_MS }, () => {
  const message = (body: string): Signed => ({ direction: 'event', method: 'POST', path: '/issuer/v1/events', body })
  it('is accepted for five minutes, and only as it was written', () => {
    check(
      fc.property(anyText, fc.integer({ min: -400, max: 400 }), anyText, (body, age, other) => {
        const then = new Date(NOW.getTime() - age * 1000)
        const header = sign('secret', then, message(body))
        expect(findForgery('secret', NOW, header, message(body))).toBe(Math.abs(age) > 300 ? 'stale' : undefined)
        if (other !== body) expect(findForgery('secret', then, header, message(other))).toBe('wrong')
      }),
    )
  })
  it('is refused when anything of it was changed', () => {
    const header = fc.string({ maxLength: 20 }).map((body) => sign('secret', NOW, message(body)))
    check(
      fc.property(changedText(header), ([, changed]) => {
        expect(findForgery('secret', NOW, changed, message(''))).toMatch(/malformed|stale|wrong/)
      }),
    )
  })
})

describe('the signature of a webhook', { timeout: TIMEOUT_MS }, () => {
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
  const at = { now: NOW.getTime() / 1000 }
  const body = '{"id":"evt_1"}'
  const headers = signatureHeaders([signingKeys(secret)], { id: 'evt_1', at: NOW, body: Buffer.from(body) })
  const refusal = (given: Record<string, string>, text = body) =>
    webhooks.verify(text, given, secret, at).then(
      () => undefined,
      (error: unknown) => error,
    )
  it('that was changed is refused by the SDK with its own error, in both dialects', async () => {
    const own = changedText(fc.constant(headers['service-signature'])).map(([, changed]) => ({
      'service-signature': changed,
    }))
    const { 'service-signature': _own, ...standard } = headers
    const names = fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature')
    const theirs = fc.tuple(names, anyText).map(([name, text]) => ({ ...standard, [name]: text }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(own, theirs), async (changed) => {
        const found = await refusal(changed)
        if (isOnlySpelledOtherwise(changed)) return
        expect(found).toBeInstanceOf(WebhookVerificationError)
      }),
      options(SLOW_RUNS),
    )
    expect(await refusal(headers)).toBeUndefined()
    expect(await refusal(standard)).toBeUndefined()
  })
  /** Spaces around fields, zeros before the time, and fields of other versions are allowed, and change nothing. */
  function isOnlySpelledOtherwise(changed: Record<string, string>): boolean {
    const fields = (text = '') => text.split(',').map((field) => field.trim().replace(/^t=0*(?=\d)/, 't='))
    const given = fields(changed['service-signature'])
    return fields(headers['service-signature']).every((field) => given.filter((other) => other === field).length >= 1)
  }
  it('of another body is refused', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        if (Buffer.from(text).toString() !== body)
          expect(await refusal(headers, text)).toBeInstanceOf(WebhookVerificationError)
      }),
      options(SLOW_RUNS),
    )
  })
})

describe('a TRON address', { timeout: TIMEOUT_MS }, () => {
  const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(formatTronAddress)
  it('is recognised, and a changed one is not', () => {
    check(
      fc.property(changedText(address), ([right, changed]) => {
        expect(isTronAddress(right)).toBe(true)
        expect(isTronAddress(changed)).toBe(false)
      }),
    )
  })
})

describe('IP addresses', { timeout: TIMEOUT_MS }, () => {
  const toNumber = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const cidr4 = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([address, bits]) => `${address}/${bits}`)
  const cidr6 = fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })).map(([address, bits]) => `${address}/${bits}`)

  it('in CIDR notation are accepted if they are valid, and refused otherwise', () => {
    check(
      fc.property(nearMiss(fc.oneof(cidr4, cidr6)), (text) => {
        const refusal = refusalOf(() => requireCidrs([text]))
        expect(refusal === undefined || refusal instanceof ApiError).toBe(true)
        if (refusal === undefined) expect(text).toMatch(/^[\da-f:.]+\/\d{1,3}$/i)
      }),
    )
  })
  it('belong to a network if they begin with its bits', () => {
    check(
      fc.property(cidr4, fc.ipV4(), (network, address) => {
        const list = new BlockList()
        addCidr(list, network)
        const [base = '', bits = '0'] = network.split('/')
        const size = 2 ** (32 - Number(bits))
        const isInside = Math.floor(toNumber(base) / size) === Math.floor(toNumber(address) / size)
        expect(list.check(address, 'ipv4')).toBe(isInside)
      }),
    )
  })
  it('of proxies are read or refused, and the client behind them is always an address', () => {
    const list = fc.array(fc.oneof(fc.ipV4(), cidr4, cidr6), { maxLength: 3 }).map((parts) => parts.join(','))
    check(
      fc.property(nearMiss(fc.oneof(list, digits(1, 2))), nearMiss(list), fc.ipV4(), (text, forwardedFor, address) => {
        const trusted = findTrustedProxies(text)
        if (trusted === undefined) return
        expect(clientAddress(trusted, { address, forwardedFor })).toMatch(/^[\da-f.:]+$/i)
      }),
    )
  })
  it('that no delivery may go to are recognised in every notation, and no text throws', () => {
    const own = fc.oneof(
      fc
        .tuple(fc.constantFrom('10', '127', '0'), fc.nat(255), fc.nat(255), fc.nat(255))
        .map((parts) => parts.join('.')),
      fc.tuple(fc.nat(255), fc.nat(255)).map(([c, d]) => `169.254.${c}.${d}`),
      fc.tuple(fc.nat(255), fc.nat(255)).map(([c, d]) => `192.168.${c}.${d}`),
    )
    const carriers = (address: string) => [address, `::ffff:${address}`, `::${address}`, `64:ff9b::${address}`]
    check(
      fc.property(own, anyText, (address, text) => {
        for (const written of carriers(address)) {
          expect(isPublicAddress(written), written).toBe(false)
          if (address.startsWith('169.254')) expect(isNeverAllowed(written), written).toBe(true)
        }
        expect(typeof isPublicAddress(text)).toBe('boolean')
        expect(typeof isNeverAllowed(text)).toBe('boolean')
      }),
    )
  })
})

describe('the URL of a webhook', { timeout: TIMEOUT_MS }, () => {
  const rules = { allowPrivateAddresses: false, ownHosts: ['cards.example.com'] }
  const spellings = ({ a, b, c, d }: Record<'a' | 'b' | 'c' | 'd', number>) => {
    const number = ((a * 256 + b) * 256 + c) * 256 + d
    return [
      `${a}.${b}.${c}.${d}`,
      String(number),
      `0x${number.toString(16)}`,
      `0${number.toString(8)}`,
      `${a}.${number % 2 ** 24}`,
    ]
  }
  it('is accepted in its normal spelling, or refused with its own code', () => {
    const valid = fc.oneof(
      fc.webUrl({ validSchemes: ['http', 'https'] }),
      fc.ipV4().map((host) => `https://${host}/x`),
    )
    check(
      fc.property(nearMiss(valid), (text) => {
        let url: string | undefined
        const refusal = refusalOf(() => (url = requireUrl(text, 'sandbox', rules)))
        if (url === undefined) {
          expect(refusal).toBeInstanceOf(ApiError)
          expect((refusal as ApiError).code).toBe('webhook_url_refused')
          return
        }
        expect(requireUrl(url, 'sandbox', rules)).toBe(url)
        const { protocol, username, password, hash } = new URL(url)
        expect([['http:', 'https:'].includes(protocol), username, password, hash]).toEqual([true, '', '', ''])
      }),
    )
  })
  it('is refused when its host is a private address, in any spelling', () => {
    const parts = fc.record({ a: fc.constantFrom(10, 127), b: fc.nat(255), c: fc.nat(255), d: fc.nat(255) })
    check(
      fc.property(parts, (address) => {
        for (const host of spellings(address)) {
          expect(
            refusalOf(() => requireUrl(`https://${host}/`, 'sandbox', rules)),
            host,
          ).toBeInstanceOf(ApiError)
        }
      }),
      SLOW_RUNS,
    )
  })
})

describe('the codes of a second factor', { timeout: TIMEOUT_MS }, () => {
  const secret = makeTotpSecret()
  it('are six digits, however they are grouped', () => {
    check(
      fc.property(nearMiss(digits(5, 7)), (text) => {
        const bare = text
          .split('')
          .filter((character) => !/[\s-]/.test(character))
          .join('')
        expect(asTotpCode(text)).toBe(/^[0-9]{6}$/.test(bare) ? bare : undefined)
        expect(normaliseRecoveryCode(normaliseRecoveryCode(text))).toBe(normaliseRecoveryCode(text))
      }),
    )
  })
  it('are accepted in their own step, and one step earlier or later', () => {
    const moment = fc.date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    check(
      fc.property(moment, fc.integer({ min: -5, max: 5 }), (now, steps) => {
        const timestamp = now.getTime() + steps * 30_000
        const found = findTotpStep(secret, totp.generate({ timestamp }), now)
        const current = Math.floor(now.getTime() / 30_000)
        // The code of a distant step may by chance be that of a near one too.
        expect(found === undefined ? Math.abs(steps) > 1 : Math.abs(found - current) <= 1).toBe(true)
      }),
      SLOW_RUNS,
    )
  })
})

describe('ids, tokens and times', { timeout: TIMEOUT_MS }, () => {
  it('an id is read back as itself, and a changed text as another id or as none', () => {
    check(
      fc.property(changedText(fc.constant('').map(() => formatId('op', newId(NOW)))), ([id, changed]) => {
        const uuid = findId('op', id) ?? ''
        expect(formatId('op', uuid)).toBe(id)
        const other = findId('op', changed)
        if (other !== undefined) expect(formatId('op', other)).toBe(changed)
      }),
    )
  })
  it('a token is recognised, and a changed one is not', () => {
    const token = fc.constantFrom(...TOKEN_KINDS).map(makeToken)
    check(
      fc.property(changedText(token), ([right, changed]) => {
        expect(findTokenKind(right)).toBeDefined()
        expect(findTokenKind(changed)).toBeUndefined()
      }),
    )
  })
  it('a date or a date-time is read as the calendar says, or refused', () => {
    const instant = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    check(
      fc.property(instant, nearMiss(instant.map((date) => date.toISOString())), (date, text) => {
        expect(findDateTime(date.toISOString())).toBe(date.getTime())
        expect(findDate(date.toISOString().slice(0, 10))).toBe(Math.floor(date.getTime() / 86_400_000) * 86_400_000)
        const read = findDateTime(text) ?? findDate(text)
        if (read !== undefined) expect(Number.isFinite(read)).toBe(true)
      }),
    )
  })
})

describe('JSON', { timeout: TIMEOUT_MS }, () => {
  const parse = (text: string) => {
    let result: { error: Error | null; body?: unknown } | undefined
    parseJson(text, (error, body) => (result = { error, body }))
    return result ?? { error: new Error('no answer') }
  }
  it('is read as JSON.parse reads it, or refused', () => {
    check(
      fc.property(nearMiss(fc.json()), (text) => {
        const { error, body } = parse(text)
        const isRefused = error instanceof SyntaxError || error instanceof ApiError
        const expected = isRefused || text.trim() === '' ? undefined : (JSON.parse(text) as unknown)
        expect([error === null || isRefused, body]).toEqual([true, expected])
      }),
    )
  })
  it('with a duplicate key is refused, at any depth', () => {
    check(
      fc.property(fc.json(), anyText, fc.nat(3), (json, name, depth) => {
        const key = JSON.stringify(name)
        const twice = `{${key}:1,"other":${json},${key}:2}`
        const nested = '[{"deep":'.repeat(depth) + twice + '}]'.repeat(depth)
        expect(parse(nested).error).toBeInstanceOf(ApiError)
      }),
    )
  })
})
