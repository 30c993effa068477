// The rule that every statement on company data is bound to a company and an environment, for SQL of any origin.

/** Words that can follow a table's name where an alias could stand. */
const NOT_ALIASES = /^(where|set|on|order|group|limit|join|cross|left|returning|select|values|for|union|offset)$/

/**
 * Returns what is wrong with a statement, or undefined. Each table of a company must be bound to a company and an
 * environment in what the statement compares or inserts; naming them in what it selects is not enough. The comment
 * `across companies: <reason>` lifts both, `across environments: <reason>` the second.
 */
export function findScopeProblem(text: string, comment: string, companyTables: readonly string[]): string | undefined {
  if (/across companies: [a-z]/i.test(comment)) return undefined
  const columns = /across environments: [a-z]/i.test(comment) ? ['company_id'] : ['company_id', 'environment']
  for (const table of companyTables) {
    const missing = columns.find((column) => !isBound(text, table, column))
    if (missing !== undefined) return `${table} without ${missing}`
  }
  return undefined
}

/** Whether the column is given wherever the statement uses the table. */
function isBound(text: string, table: string, column: string): boolean {
  const inserts = [...text.matchAll(new RegExp(String.raw`\binsert into ${table}\b[^(]*\(([^)]*)\)`, 'g'))]
  const others = [...text.matchAll(new RegExp(String.raw`\b(?:from|join|update)\s+${table}\b(?:\s+(\w+))?`, 'g'))]
  const conditions = conditionsOf(text)
  const isCompared = (next: string | undefined) => {
    const alias = next === undefined || NOT_ALIASES.test(next) ? table : next
    return new RegExp(String.raw`(?<![\w.])(${alias}\.)?${column}\b`).test(conditions)
  }
  return (
    inserts.every(([, list]) => new RegExp(String.raw`\b${column}\b`).test(list ?? '')) &&
    others.every(([, next]) => isCompared(next))
  )
}

/** What follows `where` and `on`. */
function conditionsOf(text: string): string {
  const end = /\b(?:where|on)\b([\s\S]*?)(?=\b(?:returning|order by|group by|limit|select|insert)\b|$)/g
  return [...text.matchAll(end)].map(([, part]) => part).join(' ')
}

/** The statements of a function's body. Comments and quoted texts are left out; they may contain anything. */
export function statementsOfFunction(text: string): string[] {
  const body = /\$\$([\s\S]*)\$\$/.exec(text)?.[1] ?? ''
  return body
    .replaceAll(/--.*/g, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
