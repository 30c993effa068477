// Mutants that no test can notice, because they change nothing that anybody could see, each with the reason.

export const EQUIVALENT: ReadonlyMap<string, string> = new Map([
  [
    'src/ledger/verdict.ts: if (!isRepeat || id === null || type === null || amount === null || fee === null || createdAt === null) { [|| → &&] #5',
    'The function returns all of them or none: the condition is there for the compiler.',
  ],
  [
    'src/webhooks/queries.ts: where a.company_id = ${scope.companyId} and a.environment = ${scope.environment} and a.event_id = ${eventId} [a.environment = ${scope.environment} → true]',
    'The event was found in this environment before, and its id is in no other.',
  ],
  [
    'src/ledger/queries.ts: where (a.company_id, a.environment) > (${after.company_id}::uuid, ${after.environment}::environment) [> → >=] #2',
    'The last account of a page would be measured twice, and the oldest entry of all stays the same.',
  ],
  [
    'src/access/tokens.ts: if (kind === undefined || random === undefined || checksum(kind, random) !== sum) return undefined [|| → &&]',
    'The pattern gives both or neither: the second condition is there for the compiler.',
  ],
  [
    "src/funding/queries.ts: const failure = creation.status === 'failed' ? creation.failure : undefined [creation.status === 'failed' → true]",
    'A creation that did not fail has no failure: the condition is there for the compiler.',
  ],
])

/** Mutants that are alike, by what their names have in common. */
export const EQUIVALENT_FAMILIES: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  {
    pattern:
      /\b(?:(?:performance\.now\(\)|now|nowMs) - [\w.]+|now|\w+AtMs) [<>]=? .*\[(?:< → <=|<= → <|> → >=|>= → >)\]/,
    reason: 'The clock of the process counts fractions of a microsecond: no two moments are the same.',
  },
  {
    pattern: /\blimit (?:100000|10000|200|100|40)\b.*\[(?:100000|10000|200|100|40) → \d+\]/,
    reason: 'The number bounds the work of one statement. Nobody is promised that it is this one.',
  },
  {
    // Not in accept_operations, where the ids come from clients.
    pattern:
      /^(?!sql\/functions\/operations\/accept).*\b(\w+)\.(?!company_id)(?:\w+_)?id = (?!p_(?!invoice\.))\w+\.(?:\w+_)?id\b.*\[\1\.(company_id|environment) = \w+\.\2 → true\]/,
    reason:
      'The server makes every id once, and the row that names this one is of the same company and environment. The condition is there for the index, and for a database that is distributed by company.',
  },
]

/** Returns why a mutant that nothing noticed changes nothing, or undefined if it should have been noticed. */
export function findReason(name: string): string | undefined {
  return EQUIVALENT.get(name) ?? EQUIVALENT_FAMILIES.find(({ pattern }) => pattern.test(name))?.reason
}
