// SQL as tagged templates: every ${value} becomes a parameter, never text. Statements stand whole in queries.ts,
// so that a test can PREPARE each of them against the migrated schema.
export interface Statement {
  /** Undefined: planned anew each time, with the values known. */
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly unknown[]
}

interface Compiled {
  readonly name: string
  readonly text: string
}

// One template literal in the source is one strings object for ever: it identifies the prepared statement.
const compiled = new WeakMap<TemplateStringsArray, Compiled>()
let count = 0

export function sql(strings: TemplateStringsArray, ...values: unknown[]): Statement {
  let statement = compiled.get(strings)
  if (statement === undefined) {
    count += 1
    statement = { name: `s${count}`, text: joinPlaceholders(strings) }
    compiled.set(strings, statement)
  }
  return { ...statement, values }
}

/**
 * For lists with optional filters: a generic plan cannot know which of `($1 is null or a = $1)` apply, and would walk
 * a million rows for the ten that match. Planning costs a tenth of a millisecond.
 */
export function planEachTime(statement: Statement): Statement {
  return { ...statement, name: undefined }
}

export function joinPlaceholders(strings: readonly string[]): string {
  return strings.reduce((text, part, index) => `${text}$${index}${part}`)
}
