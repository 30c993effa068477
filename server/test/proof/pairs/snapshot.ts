// What two requests changed, in words that two runs have in common: ids, secrets and hashes that a run made are different each time,
// so each of them counts as "new".
import type { Db } from '../../../src/db/pool.ts'

/** The lines that were removed and added, by table. New lines of the audit log are also listed by their object, in order. */
export type Changes = ReadonlyMap<string, readonly string[]>

/** Tables that do not matter when two orders of requests are compared. */
const TABLES_LEFT_OUT = [
  'access_version',
  'catalog_version',
  'schema_file',
  'heartbeat',
  'installation',
  // Without a mail server nothing is queued.
  'mail_notice',
  'outgoing_mail',
  'request_log',
  'issuer_minute',
  'server_minute',
  'used_challenge',
]
/** Columns that are written some time after the request, or that only make rows different. */
const COLUMNS_LEFT_OUT = ['last_used_at', 'request_id']
const NOT_COMPARED: Readonly<Record<string, readonly string[]>> = {
  // What somebody was called when the request was admitted. Their id counts.
  audit_log: ['actor', 'actor_name'],
  // A proof that was used once is used up, also if the request is then refused because the other one changed what it proves.
  passkey: ['counter'],
  recovery_code: ['used_at'],
  totp: ['last_step'],
}
const USED_UP_ACTION = '"action": "recovery_code.used"'
/** What a run makes anew: uuids with and without dashes, digests, tokens, encrypted and encoded bytes. */
const MADE = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\\\\x[0-9a-f]{16,}|[\w$+/=-]{22,}/g
/** Short values that are drawn anew each time: the ends of numbers and keys, and what is paid where. */
const DRAWN = /"(last4|prefix|pay_amount|payAmount)": (?:"[^"]*"|\d+)|"(address)": "T\w{33}"/g

export class Snapshots {
  readonly #db: Db
  /** Every made value of the world before the requests, and its lines. */
  readonly #known = new Set<string>()
  readonly #before = new Map<string, readonly string[]>()

  private constructor(db: Db) {
    this.#db = db
  }

  static async open(db: Db): Promise<Snapshots> {
    const snapshots = new Snapshots(db)
    const text = `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`
    for (const { name } of await db.many<{ name: string }>({ name: undefined, text, values: [] })) {
      const lines = await snapshots.#readLines(name)
      snapshots.#before.set(name, lines)
      for (const line of lines) for (const [made] of line.matchAll(MADE)) snapshots.#known.add(made)
    }
    return snapshots
  }

  async readChanges(): Promise<Changes> {
    const text = 'select distinct name from saved.changed where name <> all ($1) order by 1'
    const changed = await this.#db.many<{ name: string }>({ name: 'changed', text, values: [TABLES_LEFT_OUT] })
    const changes = new Map<string, string[]>()
    for (const { name } of changed) {
      const lines = (await this.#readLines(name)).map((line) => this.#anonymous(line))
      const { more, less } = compareLines(lines, this.#before.get(name) ?? [])
      const sorted = [...more.map((line) => `+ ${line}`), ...less.map((line) => `- ${line}`)].toSorted()
      if (sorted.length > 0) changes.set(name, sorted)
      if (name === 'audit_log') for (const line of more) addByObject(changes, line)
    }
    return changes
  }

  async #readLines(name: string): Promise<string[]> {
    const text = `select (to_jsonb(t) - '{${[...COLUMNS_LEFT_OUT, ...(NOT_COMPARED[name] ?? [])].join(',')}}'::text[])::text as line from ${name} t
      ${name === 'audit_log' ? 'order by id' : ''}`
    const rows = await this.#db.many<{ line: string }>({ name: `snapshot ${name}`, text, values: [] })
    return rows
      .filter(({ line }) => !line.includes(USED_UP_ACTION))
      .map(({ line }) => line.replaceAll(DRAWN, '"$1$2": "drawn"'))
  }

  #anonymous(line: string): string {
    return line.replaceAll(MADE, (made) => (this.#known.has(made) ? made : 'new'))
  }
}

/** The log must tell the order of what happened to an object. Objects that the run made cannot be told apart. */
function addByObject(changes: Map<string, string[]>, line: string): void {
  const { object } = JSON.parse(line) as { object: string | null }
  if (object === null || object.includes('new')) return
  const name = `audit log of ${object}`
  changes.set(name, [...(changes.get(name) ?? []), line])
}

/** Returns the lines that only one of the two has, or undefined if they are the same. */
export function differenceOf(one: Changes, other: Changes): string | undefined {
  const differences: string[] = []
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const [lines, others] = [one.get(name) ?? [], other.get(name) ?? []]
    if (lines.join('\n') === others.join('\n')) continue
    const { more, less } = compareLines(lines, others)
    differences.push(
      [name, ...more.map((line) => `  here   ${line}`), ...less.map((line) => `  there  ${line}`)].join('\n'),
    )
  }
  return differences.length === 0 ? undefined : differences.join('\n')
}

function compareLines(lines: readonly string[], others: readonly string[]) {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  const more = lines.filter((line) => {
    const count = counts.get(line) ?? 0
    counts.set(line, count - 1)
    return count <= 0
  })
  const less = [...counts].flatMap(([line, count]) => Array.from({ length: Math.max(0, count) }, () => line))
  return { more, less }
}
