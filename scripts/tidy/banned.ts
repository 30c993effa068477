// Finds calls in files where they are not allowed: SQL, the clock, the network, the environment, and floats near money.
import { isTest, type Problem, problemsAt, type Source } from './source.ts'

interface Rule {
  readonly pattern: RegExp
  readonly message: string
  /** The paths, relative to the root, where the call is allowed. */
  readonly allowed: RegExp
}

const RULES: readonly Rule[] = [
  {
    pattern: /\bsql`|\.query\(/g,
    message: 'SQL belongs in queries.ts, sql/ or db/',
    allowed: /\/queries\.ts$|^server\/src\/db\/|^private-postgres\/|^scripts\//,
  },
  {
    pattern: /\bnew Date\(\)|\bDate\.now\(\)/g,
    message: 'the current time comes from lib/clock.ts',
    // The launcher and the doctor measure waits and compare clocks; no business time depends on them. The SDK and
    // the commands that use it have no clock but their machine's.
    allowed:
      /^server\/src\/lib\/clock\.ts$|^console\/src\/lib\/clock\.ts$|^private-postgres\/|^server\/src\/cli\/maintenance\/doctor\/|^sdk\/src\/|^cli\/src\/|^scripts\//,
  },
  {
    pattern: /(?<![.\w])fetch\(|\bhttps?\.(request|get)\(|\bfrom 'undici'|\brequire\('undici'\)/g,
    message:
      'the network is reached from issuer/http, webhooks, the adapter to TRON, the doctor, `cardstock issuer`, `cardstock listen`, `cardstock api` and the sdk only',
    allowed:
      /^server\/src\/issuer\/http|^server\/src\/webhooks\/|^server\/src\/adapter\/tron\/node\.ts$|^server\/src\/cli\/(issuer\/control|maintenance\/doctor\/checks)\.ts$|^cli\/src\/(forward|commands\/api)\.ts$|^sdk\/|^scripts\//,
  },
  {
    pattern: /\bprocess\.env\b/g,
    message: 'the environment is read where a program begins; take it from the configuration',
    // The environment that a child process inherits is not a setting.
    allowed: /^cli\/src\/run-program\.ts$|^server\/src\/(child|early)\.ts$|^private-postgres\/|^scripts\//,
  },
  {
    pattern: /(?::|<|\bas|\|)\s*any\b(?!\w)|\bany\[\]/g,
    message: 'do not use any: name the type, or use unknown',
    allowed: /^$/,
  },
]

const MONEY = /amount|fee|total|balance|cents|price/i
const FLOAT = /\bparseFloat\(|\.toFixed\(|\bNumber\(/

export function findBannedCalls(source: Source): Problem[] {
  if (isTest(source.path)) return []
  const found = RULES.filter((rule) => !rule.allowed.test(source.path)).flatMap((rule) =>
    problemsAt(withStrings(source, rule), rule.pattern, rule.message),
  )
  return [...found.filter((problem) => !isOwnFetch(source, problem)), ...findFloats(source)]
}

/** For the rule about the network, restores the names of imported modules, which are strings and therefore blanked out. */
function withStrings(source: Source, rule: Rule): Source {
  return rule.message.startsWith('the network') ? { ...source, code: restoreImports(source) } : source
}

function restoreImports({ text, code }: Source): string {
  const lines = text.split('\n')
  return code
    .split('\n')
    .map((line, index) => (/^(import|export)\b/.test(line) ? (lines[index] ?? line) : line))
    .join('\n')
}

/** A parameter that happens to be called fetch is not the global one. */
function isOwnFetch({ code }: Source, problem: Problem): boolean {
  return (
    problem.message.startsWith('the network') &&
    /\bfetch(\??: |\()\s*\(?\w*(: |\) =>)|\bconst fetch\b/.test(code) &&
    !/undici|https?\./.test(code)
  )
}

function findFloats({ path, code }: Source): Problem[] {
  if (!/^(server|sdk|cli|console)\//.test(path)) return []
  const lines = code.split('\n')
  return lines.flatMap((line, index) =>
    MONEY.test(line) && FLOAT.test(line)
      ? [{ path, line: index + 1, message: 'do not use floating point near money; use lib/money.ts' }]
      : [],
  )
}
