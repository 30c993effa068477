// Writes docs/limits.md: every limit of the server, read from the settings and from the named constants of its source, with the comment
// that says why. A limit without a comment is an error, so that no number stands there without a reason.
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { SETTINGS } from '../server/src/config/settings.ts'

interface Limit {
  readonly name: string
  /** As it is shown, with its unit. */
  readonly value: string
  /** Why it is that number. */
  readonly about: string
  readonly file: string
}

/** What a constant bounds, by how its name ends; the first that fits counts. */
const KINDS: readonly (readonly [title: string, pattern: RegExp])[] = [
  ['Sizes', /(_BYTES|_LENGTH|_DEPTH)_(MAX|MIN|LIMIT)$/],
  ['Times', /_(MS|S|SECONDS|MINUTES|HOURS|DAYS)(_MAX|_MIN|_DEFAULT)?$/],
  ['Counts', /(_MAX|_LIMITS|_LIMIT|_PER_[A-Z_]+|CLAIM_SIZE|TAKE_SIZE|POOL_SIZE)$|^(MAX|LIMIT)_/],
]
/** Only the names of units. */
const UNIT = /^(SECOND|MINUTE|HOUR|DAY)_MS$/
const SETTING = /_(PER_[A-Z_]+|MAX|MINIMUM|BURST|SIZE|MS|SECONDS|MINUTES|HOURS|DAYS|GB|MB)$|^CONNECTIONS_PER/
const FOLDERS = ['private-postgres/src', 'server/src']
/** What a person at the command line sees, and how documents look, limits nobody. */
const LEFT_OUT = /^server\/src\/(cli|docs|archive|backup)\//
const CONSTANT =
  /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: [^=\n]+)? = ([\d_A-Z .*+/()-]+|\[[^\]]*\]|\{[^}]*\})(?: as const)?$/gm

export function makeLimits(root: string): string {
  const limits = readLimits(root)
  const sections = KINDS.map(([title]) => {
    const rows = limits.filter(({ name }) => kindOf(name) === title)
    return `## ${title}\n\n${table(['Limit', 'Value', 'Why', 'Where'], rows.map(toRow))}`
  })
  return `${[HEAD, settingsTable(), ...sections].join('\n\n')}\n`
}

const HEAD = `# Limits

Every limit of the server: what can be set, and the constants of its source with the reason for each. \`npm run generate\` writes this page
from the code. How clients see the limits of their requests is described in [rate limits](rate-limits.md).`

function settingsTable(): string {
  const rows = Object.entries(SETTINGS)
    .filter(([name]) => SETTING.test(name))
    .map(([name, { fallback, about }]) => [`\`${name}\``, fallback ?? 'not set', about])
  return `## Settings\n\nThe [configuration](configuration.md) has all settings.\n\n${table(['Setting', 'Default', 'What it limits'], rows)}`
}

function toRow({ name, value, about, file }: Limit): string[] {
  return [`\`${name}\``, value, about, `[${file.replace(/^server\/src\//, '')}](../${file})`]
}

function readLimits(root: string): Limit[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.d.ts'))
      .map((name) => `${folder}/${name.replaceAll(sep, '/')}`),
  )
    .filter((name) => !LEFT_OUT.test(name))
    .toSorted()
  return files.flatMap((file) => limitsIn(file, readFileSync(join(root, file), 'utf8')))
}

export function limitsIn(file: string, text: string): Limit[] {
  const values = new Map<string, number>()
  const limits: Limit[] = []
  let reason = { about: '', endsAt: -1 }
  for (const { index, 0: whole, 1: comment, 2: name = '', 3: expression = '' } of text.matchAll(CONSTANT)) {
    // Constants that stand together share the comment of the first.
    const shared = comment === undefined && index === reason.endsAt + 1 ? reason.about : oneLine(comment ?? '')
    reason = { about: shared, endsAt: index + whole.length }
    const number = evaluate(expression, values)
    if (number !== undefined) values.set(name, number)
    const value = number === undefined ? describeAll(name, expression, values) : describe(name, number)
    if (value === undefined || kindOf(name) === undefined) continue
    const { about } = reason
    if (about === '') throw new Error(`${file}: ${name} is a limit. Say in a comment before it why it is ${value}.`)
    limits.push({ name, value, about, file })
  }
  return limits
}

/** Returns the numbers of a list, or of an object with their names; undefined if the text is neither. */
function describeAll(name: string, text: string, values: ReadonlyMap<string, number>): string | undefined {
  const items = text
    .slice(1, -1)
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  const described = items.map((item) => {
    const [, field, expression = ''] = /^(?:(\w+): )?(.*)$/.exec(item) ?? []
    const number = evaluate(expression, values)
    if (number === undefined) return undefined
    return field === undefined ? describe(name, number) : `${field} ${describe(unitOf(field) ?? name, number)}`
  })
  return described.length === 0 || described.includes(undefined) ? undefined : described.join(', ')
}

/** A field such as `idleMs` has its own unit. */
const unitOf = (field: string) => (field.endsWith('Ms') ? '_MS' : field.endsWith('Bytes') ? '_BYTES_MAX' : undefined)

const kindOf = (name: string) => (UNIT.test(name) ? undefined : KINDS.find(([, pattern]) => pattern.test(name))?.[0])

/** Returns the number, or undefined if the text is not a sum or product of numbers and constants that are known. */
function evaluate(expression: string, values: ReadonlyMap<string, number>): number | undefined {
  const terms = expression.split(' + ').map((term) => {
    const factors = term.split(' * ').map((factor) => {
      const [base, power] = factor.trim().split(' ** ')
      const number = numberOf(base ?? '', values)
      return power === undefined ? number : number ** numberOf(power, values)
    })
    return factors.reduce((product, factor) => product * factor, 1)
  })
  const sum = terms.reduce((total, term) => total + term, 0)
  return Number.isNaN(sum) ? undefined : sum
}

function numberOf(text: string, values: ReadonlyMap<string, number>): number {
  return values.get(text) ?? (/^\d[\d_]*(\.\d+)?$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN)
}

const oneLine = (comment: string) =>
  comment
    .replaceAll(/^\s*\* ?/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .trim()

const STEPS: readonly (readonly [unit: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
]

function describe(name: string, value: number): string {
  if (kindOf(name) === 'Times') {
    const ms =
      value *
      (/_DAYS/.test(name)
        ? 86_400_000
        : /_HOURS/.test(name)
          ? 3_600_000
          : /_MINUTES/.test(name)
            ? 60_000
            : /_MS/.test(name)
              ? 1
              : 1_000)
    const [unit, size] = STEPS.find(([, step]) => ms >= step && ms % step === 0) ?? ['ms', 1]
    return `${group(ms / size)} ${unit}`
  }
  if (/_BYTES/.test(name)) {
    const [unit, size] = (
      [
        ['MiB', 1_048_576],
        ['KiB', 1_024],
      ] as const
    ).find(([, step]) => value >= step && value % step === 0) ?? ['bytes', 1]
    return `${group(value / size)} ${unit}`
  }
  return group(value)
}

const group = (value: number) => String(value).replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',')

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
