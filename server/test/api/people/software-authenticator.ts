// A passkey in software: makes what a browser and a device together answer, with an ES256 key and CBOR written by hand, and can
// be told to answer wrongly. The domain and the origin are the device's view, which a test may change.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { TestServer } from '../../support/harness.ts'
import { type Browser, PASSWORD } from './people.ts'

const FLAG = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 } as const

interface Options {
  challenge: string
  /** What the browser claims about its page. */
  origin?: string
  rpId?: string
  isVerified?: boolean
  counter?: number
  userHandle?: string
}

export class SoftwareAuthenticator {
  readonly id = randomBytes(16)
  readonly origin: string
  readonly rpId: string
  counter = 0
  #userHandle: string | undefined
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  constructor(origin: string) {
    this.origin = origin
    this.rpId = new URL(origin).hostname
  }

  /** Answers `navigator.credentials.create`. */
  create(options: Options & { user?: { id: string } }) {
    this.#userHandle = options.user?.id ?? this.#userHandle
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const point = [x, y].map((text) => Buffer.from(String(text), 'base64url'))
    // A COSE key: type EC2, algorithm ES256, curve P-256, and the point.
    const key = cborMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point[0] as Buffer],
      [-3, point[1] as Buffer],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const authData = this.#data(options, Buffer.concat([Buffer.alloc(16), length, this.id, key]))
    const attestationObject = cborMap([
      ['fmt', 'none'],
      ['attStmt', []],
      ['authData', authData],
    ])
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', options).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** Answers `navigator.credentials.get`. */
  get(options: Options) {
    const clientData = this.#clientData('webauthn.get', options)
    const data = this.#data(options)
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
    const userHandle = options.userHandle ?? this.#userHandle
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      ...(userHandle === undefined ? {} : { userHandle }),
    })
  }

  #credential<Response extends object>(response: Response) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, { challenge, origin = this.origin }: Options): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #data({ rpId = this.rpId, isVerified = true, counter = this.counter }: Options, attested?: Buffer): Buffer {
    const flags = FLAG.present | (isVerified ? FLAG.verified : 0) | (attested === undefined ? 0 : FLAG.attested)
    const tail = Buffer.alloc(5)
    tail.writeUInt8(flags)
    tail.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), tail, attested ?? Buffer.alloc(0)])
  }
}

/** Registers a new passkey for whoever is signed in. */
export async function registerPasskey(
  browser: Browser,
  { origin = browser.server.baseUrl, name = 'Laptop' }: { origin?: string; name?: string } = {},
): Promise<SoftwareAuthenticator & { passkeyId: string }> {
  const device = new SoftwareAuthenticator(origin)
  const { body } = await browser.post<{ challenge: string; user: { id: string } }>(
    '/console/v1/passkey-registrations',
    {
      password: PASSWORD,
    },
  )
  const credential = device.create(body)
  const answer = await browser.post<{ id: string }>('/console/v1/passkeys', { name, credential })
  if (answer.status !== 201) throw new Error(answer.text)
  return Object.assign(device, { passkeyId: answer.body.id })
}

/** The same server by its name, because browsers allow no passkeys for an IP address. */
export function byName(server: TestServer): TestServer {
  const baseUrl = server.baseUrl.replace('127.0.0.1', 'localhost')
  return Object.create(server, { baseUrl: { value: baseUrl } }) as TestServer
}

type Cbor = number | string | Buffer | readonly (readonly [Cbor, Cbor])[]

function cborMap(pairs: readonly (readonly [Cbor, Cbor])[]): Buffer {
  return Buffer.concat([cborHead(5, pairs.length), ...pairs.flat().map(cbor)])
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  return cborMap(value)
}

/** The type in the upper three bits, then the number in as few bytes as fit. */
function cborHead(type: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(type << 5) | value])
  if (value < 256) return Buffer.from([(type << 5) | 24, value])
  return Buffer.from([(type << 5) | 25, value >> 8, value & 255])
}
