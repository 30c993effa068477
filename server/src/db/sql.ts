// SQL as tagged templates: every ${value} becomes a parameter, never text. Statements stand in queries.ts, so that a test can PREPARE each
// of them against the migrated schema. What several statements share, such as a list of columns, is a fragment with a name.
export interface Statement {
  /** Undefined: planned anew each time, with the values known. */
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly unknown[]
}

/** A piece of SQL without parameters. Only `fragment` makes one, from a template in the source, so no input can become part of it. */
class Fragment {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

interface Compiled {
  readonly name: string
  readonly text: string
  /** What stands at each `${…}`: a fragment, or undefined for a parameter. */
  readonly fragments: readonly (Fragment | undefined)[]
  readonly hasFragments: boolean
}

// One template literal in the source is one strings object for ever: it identifies the prepared statement.
const compiled = new WeakMap<TemplateStringsArray, Compiled>()
let count = 0

export function fragment(strings: TemplateStringsArray, ...others: Fragment[]): Fragment {
  return new Fragment(strings.reduce((text, part, index) => text + (others[index - 1]?.text ?? '') + part))
}

/** Returns a list of columns as those of the table with this alias. */
export function aliased(alias: string, columns: Fragment): Fragment {
  return new Fragment(
    columns.text
      .split(',')
      .map((column) => `${alias}.${column.trim()}`)
      .join(', '),
  )
}

export function sql(strings: TemplateStringsArray, ...values: unknown[]): Statement {
  const statement = compiled.get(strings) ?? compile(strings, values)
  const { name, text, fragments, hasFragments } = statement
  if (!hasFragments) return { name, text, values }
  // A prepared statement has one text for ever, so each of its places has one fragment for ever.
  const isOther = (value: unknown, index: number) =>
    (value instanceof Fragment ? value : undefined) !== fragments[index]
  if (values.some(isOther)) throw new Error(`Another fragment was given to the statement: ${text}`)
  return { name, text, values: values.filter((_, index) => fragments[index] === undefined) }
}

function compile(strings: TemplateStringsArray, values: readonly unknown[]): Compiled {
  const fragments = values.map((value) => (value instanceof Fragment ? value : undefined))
  count += 1
  const hasFragments = fragments.some((part) => part !== undefined)
  const statement = { name: `s${count}`, text: joinPlaceholders(strings, fragments), fragments, hasFragments }
  compiled.set(strings, statement)
  return statement
}

/**
 * For lists with optional filters: a generic plan cannot know which of `($1 is null or a = $1)` apply, and would walk
 * a million rows for the ten that match. Planning costs a tenth of a millisecond.
 */
export function planEachTime(statement: Statement): Statement {
  return { ...statement, name: undefined }
}

export function joinPlaceholders(
  strings: readonly string[],
  fragments: readonly ({ readonly text: string } | undefined)[] = [],
): string {
  let parameters = 0
  return strings.reduce((text, part, index) => {
    const piece = fragments[index - 1]
    if (piece !== undefined) return text + piece.text + part
    parameters += 1
    return `${text}$${parameters}${part}`
  })
}
