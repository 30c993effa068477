// Bytes: encodings, HMAC-SHA-256 and a comparison in constant time. Uses Web Crypto, which every runtime has.

/** Bytes in memory of their own, which Web Crypto asks for. */
export type OwnBytes = Uint8Array<ArrayBuffer>

export function utf8(text: string): OwnBytes {
  return new TextEncoder().encode(text)
}

export async function hmac(secret: OwnBytes, message: OwnBytes): Promise<Uint8Array> {
  const { subtle } = webCrypto()
  const key = await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await subtle.sign('HMAC', key, message))
}

/** Some test environments hide the global one of Node, which has it also as a module. */
function webCrypto(): typeof globalThis.crypto {
  const { crypto, process } = globalThis as {
    crypto?: typeof globalThis.crypto
    process?: { getBuiltinModule?: (name: string) => { webcrypto: typeof globalThis.crypto } | undefined }
  }
  const found = crypto?.subtle === undefined ? process?.getBuiltinModule?.('node:crypto')?.webcrypto : crypto
  if (found === undefined) throw new Error('This runtime has no Web Crypto, which verifying a webhook needs.')
  return found
}

/** Whether one of the candidates equals the value. The time taken depends on their number and lengths only. */
export function equalAny(value: Uint8Array, candidates: readonly Uint8Array[]): boolean {
  let isFound = false
  for (const candidate of candidates) {
    let difference = value.length ^ candidate.length
    for (let index = 0; index < value.length; index += 1) difference |= (value[index] ?? 0) ^ (candidate[index] ?? 0)
    if (difference === 0) isFound = true
  }
  return isFound
}

/** Returns both in an array of its own: what happens to them afterwards does not change it. */
export function concat(a: Uint8Array, b: Uint8Array): OwnBytes {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Undefined when the text is not Base64, or empty. */
export function fromBase64(text: string): OwnBytes | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return bytes.length === 0 ? undefined : bytes
  } catch {
    return undefined
  }
}
