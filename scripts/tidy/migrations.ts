// Checks new migrations for what breaks or stops the processes that run meanwhile: the previous version works beside the new one
// during an upgrade, so a migration only adds (expand), and a later release removes (contract). See CONTRIBUTING.md.
import type { Problem, Source } from './source.ts'

/** Every migration after the baseline, which makes a new database: no process uses it yet. */
const MIGRATION = /^server\/sql\/migrations\/(?!0001_baseline\/)/

/** A comment right before a statement that says why the statement is safe, and so lifts every rule for it. */
const EXCEPTION = /^-- safe: \S/m

interface Rule {
  readonly pattern: RegExp
  readonly message: string
  /** What makes a part of the statement harmless. */
  readonly unless?: RegExp
  /** Whether the rule is only about tables that were there before this migration. */
  readonly existingTablesOnly?: true
}

const VOLATILE = String.raw`(?:gen_random_uuid|uuid_generate_v\d|random|clock_timestamp|timeofday|nextval)\s*\(`

const RULES: readonly Rule[] = [
  {
    pattern: /\bdrop\s+(?:table|column|view|type|function|schema)\b/,
    message: 'drops what the previous version may still use; drop it one release after its last use',
  },
  {
    pattern: /\brename\s+(?:to|column|constraint)\b|\brename\s+\w+\s+to\b/,
    message:
      'renames what the previous version uses; add the new name, write both, and drop the old one a release later',
  },
  {
    pattern: /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/,
    message: 'changes a type, which rewrites the table and breaks the previous version; add a column instead',
  },
  {
    pattern:
      /\badd\s+(?:column\s+)?(?!constraint\b|check\b|foreign\b|unique\b|primary\b|exclude\b)\w+\b[^;]*\bnot\s+null\b/,
    unless: /\bdefault\b/,
    message: 'adds a column that is not null and has no default; the previous version does not fill it',
  },
  {
    pattern: /\bset\s+not\s+null\b/,
    message: 'forbids null in a column that the previous version may leave empty; a later release may do it',
  },
  {
    pattern: new RegExp(String.raw`\badd\s+column\b[^;]*\bdefault\s+${VOLATILE}`),
    message: 'adds a column whose default differs in each row, which rewrites the table; fill it in batches instead',
    existingTablesOnly: true,
  },
  {
    pattern: /\bcreate\s+(?:unique\s+)?index\b/,
    message: 'makes an index on a table that may be large, and nothing can be written until it is done',
    existingTablesOnly: true,
  },
  {
    pattern: /\badd\s+(?:constraint\s+\w+\s+)?(?:check|foreign\s+key|unique|primary\s+key|exclude)\b/,
    unless: /\bnot\s+valid\b/,
    message: 'adds a constraint that is checked for every row while nothing can be written; add it NOT VALID',
    existingTablesOnly: true,
  },
  {
    pattern: /^(?:update|delete\s+from)\b/,
    message: 'changes rows in one long transaction; let a job do it in batches',
    existingTablesOnly: true,
  },
  {
    pattern: /^(?:lock\b|truncate\b|cluster\b|vacuum\s+full\b)/,
    message: 'locks a table for as long as the migration takes',
  },
  {
    pattern: /\block_timeout\b/,
    message: 'changes lock_timeout, which the migration runner sets so that no server waits for long',
  },
]

export function findMigrationProblems({ path, text }: Pick<Source, 'path' | 'text'>): Problem[] {
  if (!MIGRATION.test(path)) return []
  const created = new Set(
    [...text.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, name]) => name),
  )
  return splitStatements(text).flatMap(({ line, comment, statement }) => {
    if (EXCEPTION.test(comment)) return []
    const isNew = created.has(tableOf(statement))
    return RULES.filter((rule) => breaks(statement, rule) && !(isNew && rule.existingTablesOnly === true)).map(
      ({ message }) => ({ path, line, message: `${message} (or say why it is safe: -- safe: …)` }),
    )
  })
}

/** ALTER TABLE has several parts, separated by commas. One part must not excuse another. */
function breaks(statement: string, { pattern, unless }: Rule): boolean {
  const parts = unless === undefined ? [statement] : statement.split(/,(?![^(]*\))/)
  return parts.some((part) => pattern.test(part) && unless?.test(part) !== true)
}

function tableOf(statement: string): string {
  const name =
    /^(?:alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?|update\s+|delete\s+from\s+)(\w+)/.exec(statement) ??
    /^create\s+(?:unique\s+)?index\s[^(]*?\bon\s+(?:only\s+)?(\w+)/.exec(statement)
  return name?.[1] ?? ''
}

interface Part {
  /** Where the statement begins. */
  readonly line: number
  /** The comment lines right before it. */
  readonly comment: string
  /** In lower case and without comments, texts and bodies of functions. */
  readonly statement: string
}

/** Splits at semicolons outside of texts, bodies of functions and comments. */
function splitStatements(text: string): Part[] {
  const parts: Part[] = []
  let comment = ''
  let statement = ''
  let line = 1
  let start = 1
  const tokens = text.matchAll(/--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[^]*?\$\1\$|\n|;|[^-'$\n;]+|[^]/g)
  for (const [token] of tokens) {
    if (token.startsWith('--')) comment += statement.trim() === '' ? `${token}\n` : ''
    else if (token === ';') {
      parts.push({ line: start, comment, statement: statement.trim().toLowerCase() })
      comment = ''
      statement = ''
    } else {
      if (statement.trim() === '' && token.trim() !== '') start = line
      statement += /^['$]/.test(token) && token.length > 1 ? "''" : token
    }
    line += token.split('\n').length - 1
  }
  return parts
}
