// Makes recorded examples the same on every run: ids, secrets, hashes, ports and measured times get fixed values, in the
// order in which they appear. Everything else stays as the server wrote it.
import { createHash } from 'node:crypto'

interface Rule {
  readonly pattern: RegExp
  /** The replacement for the nth distinct value. */
  make(value: string, index: number): string
}

const hex = (seed: string, length: number) => createHash('sha256').update(seed).digest('hex').slice(0, length)
/** Begins like an id of 10 March 2026, which is the day of the examples. */
const ID_TIME = '019cd7a5b200'
const makeId = (seed: string) => `${ID_TIME}7${hex(seed, 3)}8${hex(`${seed}.`, 15)}`

const RULES: readonly Rule[] = [
  {
    pattern:
      /\b(?:co|key|hld|card|op|fund|log|ent|txn|chg|inv|rev|evt|pos|we|att|price|req|rcpt|per|ses|invt|psk)_[0-9a-f]{32}\b/g,
    make: (value, index) => `${value.slice(0, value.indexOf('_'))}_${makeId(`id ${index}`)}`,
  },
  {
    pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
    make: (_, index) => makeId(`uuid ${index}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  },
  { pattern: /\bsandbox-[0-9a-f]{32}\b/g, make: (_, index) => `sandbox-${makeId(`payment ${index}`)}` },
  { pattern: /\b[0-9a-f]{64}\b/g, make: (_, index) => hex(`hash ${index}`, 64) },
  // These keys do not work: their checksum is wrong.
  { pattern: /\bwhsec_[A-Za-z0-9+/]+=*/g, make: () => 'whsec_ZXhhbXBsZXNlY3JldGV4YW1wbGVzZWNyZXRleGFtcGw=' },
  {
    pattern: /\bcstk_(sandbox|live|operator|invitation|reset|signin)_[A-Za-z0-9]{20,}\b/g,
    make: (value) => `${/^cstk_[a-z]+_/.exec(value)?.[0] ?? ''}EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLE0`,
  },
  {
    pattern: /\bcstk_(sandbox|live|operator)_[A-Za-z0-9]{4}\b/g,
    make: (value) => `${/^cstk_[a-z]+_/.exec(value)?.[0] ?? ''}EXAM`,
  },
  { pattern: /\b(?:[a-km-np-z2-9]{4}-){3}[a-km-np-z2-9]{4}\b/g, make: (_, index) => `k3fw-9x2m-h7qd-${index + 22}ab` },
  { pattern: /\b[A-Z2-7]{32}\b/g, make: () => 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' },
  { pattern: /http:\/\/127\.0\.0\.1:\d+\/hooks/g, make: () => 'http://127.0.0.1:3000/hooks' },
  { pattern: /http:\/\/127\.0\.0\.1:\d+(?=\/cards\/)/g, make: () => 'https://provider.example.com' },
  { pattern: /http:\/\/(?:127\.0\.0\.1|localhost):\d+(?!\d|\/hooks)/g, make: () => 'http://127.0.0.1:8080' },
  {
    // The ids of credentials and of their owners are bytes in base64url.
    pattern: /(?<="(?:id|rawId|userHandle)":")[\w-]{22}(?=")/g,
    make: (_, index) => Buffer.from(hex(`credential ${index}`, 32), 'hex').toString('base64url'),
  },
  { pattern: /\/pay\/[\w-]{20,}/g, make: () => '/pay/c2VjcmV0cGFydG9mdGhlbGluaw' },
  // The last four digits of a card, in the title of what it is about.
  { pattern: /(?<=·· )\d{4}\b/g, make: () => '4242' },
  // The tail that makes the amount of an invoice unique, where a step of its timeline names it.
  { pattern: /(?<="amount":"\d+\.)00\d{4}(?=")/g, make: () => '004711' },
  { pattern: /\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, make: () => 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf' },
]

const FIXED_FIELDS: Readonly<Record<string, unknown>> = {
  last4: '4242',
  latencyMs: 42,
  challenge: 'CHALLENGEchallengeCHALLENGEchallengeCHALLENGEchallengeCHALLENGEchallengeCHA',
  clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uLi4ifQ',
  attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ',
  authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAA',
  signature: 'MEUCIQDexampleSignatureAiBexampleSignature',
  durationMs: 3,
  nextCursor: 'eyJhZnRlciI6IjAxOWNkN2E1YjIwMCJ9',
}

export function normalise(examples: unknown): unknown {
  let text = JSON.stringify(examples)
  for (const { pattern, make } of RULES) {
    const seen = new Map<string, string>()
    text = text.replaceAll(pattern, (value) => {
      const known = seen.get(value) ?? make(value, seen.size)
      seen.set(value, known)
      return known
    })
  }
  return JSON.parse(text, (name, value: unknown) => {
    const isExact = name === 'payAmount' || name === 'receivedAmount'
    // The tail of an exact amount is random.
    if (isExact && typeof value === 'string') return value.replace(/\.00\d{4}$/, '.004711')
    if (name === 'code' && /^\d{6}$/.test(String(value))) return '123456'
    const fixed = FIXED_FIELDS[name]
    return fixed === undefined || value === null || typeof value !== typeof fixed ? value : fixed
  })
}
