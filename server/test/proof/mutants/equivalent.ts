// Mutants that no test can notice, because they change nothing that anybody could see, each with the reason.

const BY_REASON: readonly (readonly [reason: string, names: readonly string[]])[] = [
  [
    'The function returns all of them or none: the condition is there for the compiler.',
    [
      'src/ledger/verdict.ts: if (!isRepeat || id === null || type === null || amount === null || fee === null || createdAt === null) { [|| → &&] #5',
    ],
  ],
  [
    'The event was found in this environment before, and its id is in no other.',
    [
      'src/webhooks/queries.ts: where a.company_id = ${scope.companyId} and a.environment = ${scope.environment} and a.event_id = ${eventId} [a.environment = ${scope.environment} → true]',
    ],
  ],
  [
    'A rest changes nothing but when others find the database free.',
    [
      "src/ledger/seal.ts: if (deps.grouping === 'all') await rest(startedMs) [deps.grouping === 'all' → true]",
      "src/ledger/seal.ts: if (deps.grouping === 'all') await rest(startedMs) [deps.grouping === 'all' → false]",
      "src/ledger/seal.ts: if (deps.grouping === 'all') await rest(startedMs) [=== → !==]",
      "src/ledger/seal.ts: if (deps.grouping === 'all') await rest(startedMs) [await rest(startedMs) → ;]",
      'src/ledger/seal.ts: if (isPageEnd) await rest(lookedMs, RESTS_PER_LOOK) [isPageEnd → true]',
      'src/ledger/seal.ts: if (isPageEnd) await rest(lookedMs, RESTS_PER_LOOK) [isPageEnd → false]',
      'src/ledger/seal.ts: if (isPageEnd) await rest(lookedMs, RESTS_PER_LOOK) [await rest(lookedMs, RESTS_PER_LOOK) → ;]',
    ],
  ],
  [
    'An account without entries has no seal: the condition saves the look-up.',
    [
      'src/ledger/queries.ts: select l.number, l.sealed_at from seal l where l.company_id = a.company_id and l.environment = a.environment and a.sequence > 0 [a.sequence > 0 → true]',
      'src/ledger/queries.ts: select l.number, l.sealed_at from seal l where l.company_id = a.company_id and l.environment = a.environment and a.sequence > 0 [> → >=]',
    ],
  ],
  [
    'The last account of a page would be measured twice, and the oldest entry of all stays the same.',
    [
      'src/ledger/queries.ts: where (a.company_id, a.environment) > (${after.company_id}::uuid, ${after.environment}::environment) [> → >=] #2',
    ],
  ],
  [
    'The pattern gives both or neither: the second condition is there for the compiler.',
    [
      'src/access/tokens.ts: if (kind === undefined || random === undefined || checksum(kind, random) !== sum) return undefined [|| → &&] #2',
    ],
  ],
  [
    'Any other creation lacks these fields, and what is undefined is sent as null: the condition is there for the compiler.',
    [
      "src/funding/queries.ts: const failure = creation.status === 'failed' ? creation.failure : undefined [creation.status === 'failed' → true]",
      "src/funding/queries.ts: const { dueAt, lookUps } = creation.status === 'creating' ? creation : { dueAt: null, lookUps: null } [creation.status === 'creating' → true]",
      "src/funding/queries.ts: const instructions = creation.status === 'pending' ? creation : undefined [creation.status === 'pending' → true]",
    ],
  ],
  [
    'The issues are counted more often. The count is that of the account, and the issues of the batch are added to either.',
    [
      "sql/functions/operations/accept_operations.sql: if p_types[i] = 'issue' and p_quotas[i] is not null and v_issued[v_account] is null then [and → or] #2",
    ],
  ],
  [
    'expire_invoice expires only what is pending and overdue, and beginning the invoice again gives the same verdict: the condition saves the call.',
    [
      "src/funding/read.ts: if (row.status !== 'pending' || row.expires_at === null || row.expires_at > now) return row [|| → &&]",
      "src/funding/create.ts: if (begun.verdict !== 'unresolved' || begun.expires_at === null || begun.expires_at > now) return begun [|| → &&]",
      "src/funding/create.ts: if (begun.verdict !== 'unresolved' || begun.expires_at === null || begun.expires_at > now) return begun [|| → &&] #2",
    ],
  ],
  [
    'fan_out finds the endpoints itself: the condition saves the call.',
    [
      'sql/functions/operations/settle_operations.sql: from happened where v_has_endpoints [v_has_endpoints → true]',
      'sql/functions/operations/settle_operations.sql: if v_has_endpoints then perform fan_out(p_now, v_companies, v_environments, v_events, v_types); end if; [v_has_endpoints → true]',
      'sql/functions/operations/accept_operation.sql: if v_account.has_endpoints then [v_account.has_endpoints → true]',
      'sql/functions/operations/claim_listed.sql: if exists ( [exists ( select from unnest(v_claimed) c join account a on a… → true]',
      'sql/functions/operations/claim_listed.sql: join account a on a.company_id = c.company_id and a.environment = c.environment and a.has_endpoints [a.company_id = c.company_id → true]',
      'sql/functions/operations/claim_listed.sql: join account a on a.company_id = c.company_id and a.environment = c.environment and a.has_endpoints [a.environment = c.environment → true]',
      'sql/functions/operations/claim_listed.sql: join account a on a.company_id = c.company_id and a.environment = c.environment and a.has_endpoints [a.has_endpoints → true]',
      'sql/functions/operations/claim_listed.sql: join account a on a.company_id = c.company_id and a.environment = c.environment and a.has_endpoints [and → or]',
      'sql/functions/operations/claim_listed.sql: join account a on a.company_id = c.company_id and a.environment = c.environment and a.has_endpoints [and → or] #2',
    ],
  ],
  [
    'The statements that follow find nothing to do, or do the same again: the condition saves the work.',
    [
      "sql/functions/operations/settle_operations.sql: if 'failed' = any (p_statuses) then ['failed' = any (p_statuses) → true]",
      'sql/functions/operations/settle_operations.sql: if cardinality(v_moved) = cardinality(p_ids) then return; end if; [cardinality(v_moved) = cardinality(p_ids) → false]',
      'sql/functions/operations/accept_operation.sql: when p_quota is not null then count_issues(p_company, p_environment, v_month) [p_quota is not null → true]',
      'sql/functions/operations/accept_operations.sql: if v_refusals then [v_refusals → true]',
      'sql/functions/operations/accept_operations.sql: v_refusals := false; [false → true]',
      'sql/functions/operations/accept_operations.sql: select array_agg(case when i.number is null then i.key end order by i.n) [i.number is null → true]',
      'sql/functions/operations/accept_operations.sql: if p_cards is not null then [p_cards is not null → true]',
      'sql/functions/operations/accept_operations.sql: if v_known is null and array_position(p_keys, p_keys[i]) < i then raise unique_violation; end if; [< → <=]',
      'sql/functions/operations/claim_listed.sql: if cardinality(p_ids) = 0 then return; end if; [cardinality(p_ids) = 0 → false]',
      'sql/functions/operations/claim_listed.sql: if v_claimed is null then return; end if; [v_claimed is null → false]',
      'sql/functions/ledger/seal_entries.sql: if v_to is null or v_to <= v_from then return 0; end if; [v_to is null or v_to <= v_from → false]',
      'sql/functions/ledger/seal_entries.sql: if v_to is null or v_to <= v_from then return 0; end if; [or → and]',
      'sql/functions/ledger/seal_entries.sql: if v_to is null or v_to <= v_from then return 0; end if; [<= → <]',
      'sql/functions/webhooks/claim_delivery_queues.sql: if v_ready is null then return; end if; [v_ready is null → false]',
      'src/access/session.ts: if (set === undefined) { [set === undefined → true]',
      'src/ledger/audit.ts: for (let start = 0; start < accounts.length; start += atATime) { [< → <=]',
      'src/ledger/accept.ts: if (first !== undefined && items.length === 1) return acceptOperation(db, now, first) [first !== undefined && items.length === 1 → false]',
      'src/ledger/accept.ts: if (first !== undefined && items.length === 1) return acceptOperation(db, now, first) [!== → ===]',
    ],
  ],
  [
    'What is due comes first, and the update looks at the time again.',
    [
      "sql/functions/issuer/claim_look_ups.sql: where q.status = 'processing' and q.environment = p_environment and q.due_at <= p_now and q.kind = any (p_kinds) [q.due_at <= p_now → true]",
    ],
  ],
  [
    'The order of the entries of an operation stays the same.',
    [
      "sql/functions/operations/settle_operations.sql: select m.account, m.id, m.n, 1, 'release', m.amount + m.fee, -m.amount - m.fee from moved m where m.status = 'failed' [1 → 2]",
      "sql/functions/operations/settle_operations.sql: select l.account, l.id, l.n, 3, 'adjustment', l.returned, 0 from late l where l.returned > 0 [3 → 4]",
    ],
  ],
  [
    'No more than one row matches.',
    [
      'sql/functions/operations/accept_operation.sql: order by k.idempotency_key limit 1 [1 → 2]',
      'sql/functions/operations/find_operations_by_key.sql: order by k.idempotency_key limit 1 [1 → 2]',
      'sql/functions/operations/accept_operations.sql: limit 1 [1 → 2]',
      'src/ledger/queries.ts: and a.sequence > coalesce(sealed.number, 0) and n.number = coalesce(sealed.number, 0) + 1 limit 1 [1 → 2] #2',
    ],
  ],
  [
    'It writes the value that is there.',
    [
      'sql/functions/funding/complete_invoice.sql: where p.company_id = v_invoice.company_id and p.environment = v_invoice.environment and p.invoice_id = v_invoice.id and not p.decided; [not p.decided → true]',
      'sql/functions/funding/end_invoice.sql: where p.company_id = p_company and p.environment = p_environment and p.invoice_id = p_id and not p.decided; [not p.decided → true]',
      "sql/functions/webhooks/recover_deliveries.sql: where d.status = 'failed' or (d.status = 'pending' and d.due_at > excluded.due_at); [> → >=]",
      'sql/functions/webhooks/wake_delivery_queues.sql: and (q.due_at is null or q.due_at > p_now); [> → >=]',
      'sql/functions/webhooks/create_webhook_endpoint.sql: where a.company_id = p_company and a.environment = p_environment and not a.has_endpoints; [not a.has_endpoints → true]',
      'src/access/queries.ts: and (k.last_used_at is null or k.last_used_at < u.used_at)`) [< → <=]',
      'src/access/queries.ts: where t.id = u.id and (t.last_used_at is null or t.last_used_at < u.used_at)`) [< → <=]',
      "sql/functions/access/erase_audit_details.sql: perform set_config('cardstock.erasing', 'off', true); [true → false]",
    ],
  ],
  [
    'A sum at this limit is exact, and the condition before it has excluded that.',
    [
      "sql/functions/funding/record_payment.sql: case when not v_exact and v_sum < coalesce(v_invoice.pay_amount, v_invoice.requested * 10000 + 1) then 'underpaid' end, [< → <=]",
      "sql/functions/funding/record_payment.sql: case when not v_exact and v_sum < coalesce(v_invoice.pay_amount, v_invoice.requested * 10000 + 1) then 'underpaid' end, [1 → 2]",
      "sql/functions/funding/record_payment.sql: case when not v_exact and v_sum >= coalesce(v_invoice.pay_amount, v_invoice.requested * 10000 + 1) then 'overpaid' end, [>= → >]",
      "sql/functions/funding/record_payment.sql: case when not v_exact and v_sum >= coalesce(v_invoice.pay_amount, v_invoice.requested * 10000 + 1) then 'overpaid' end, [1 → 2]",
    ],
  ],
  [
    'Both values are the same then.',
    ['src/funding/rules.ts: const least = issuerMinimum > MINIMUM ? issuerMinimum : MINIMUM [> → >=]'],
  ],
  [
    'A check of the table, or another condition of the statement, says the same.',
    [
      "sql/functions/ledger/audit_account.sql: from entry n where n.company_id = p_company and n.environment = p_environment and n.number > v_archived and n.kind in ('reservation', 'capture', 'release', 'fee') and n.held_delta <> 0 [n.kind in ('reservation', 'capture', 'release', 'fee') → true]",
      "sql/functions/ledger/audit_account.sql: where t.issues <> v_account.issued_count and v_account.issued_month > '1970-01-01'; [v_account.issued_month > '1970-01-01' → true]",
      "sql/functions/ledger/audit_account.sql: where t.issues <> v_account.issued_count and v_account.issued_month > '1970-01-01'; [> → >=]",
      'sql/functions/access/tell_expiring_key.sql: where k.expires_at is not null and k.expiry_told_at is null and k.revoked_at is null and k.expires_at > p_now and k.expires_at <= p_until [k.expires_at is not null → true]',
      'src/ledger/queries.ts: and a.sequence > coalesce(sealed.number, 0) and n.number = coalesce(sealed.number, 0) + 1 limit 1 [a.sequence > coalesce(sealed.number, 0) → true]',
      'src/ledger/queries.ts: and a.sequence > coalesce(sealed.number, 0) and n.number = coalesce(sealed.number, 0) + 1 limit 1 [> → >=]',
      'sql/functions/ledger/archivable_range.sql: where q.company_id = p_company and q.environment = p_environment; [q.company_id = p_company → true]',
      'sql/functions/ledger/archivable_range.sql: where q.company_id = p_company and q.environment = p_environment; [q.environment = p_environment → true]',
      'sql/functions/ledger/archivable_range.sql: where q.company_id = p_company and q.environment = p_environment; [and → or]',
      'sql/functions/ledger/record_archive.sql: where q.company_id = p_company and q.environment = p_environment; [q.company_id = p_company → true]',
      'sql/functions/ledger/record_archive.sql: where q.company_id = p_company and q.environment = p_environment; [q.environment = p_environment → true]',
      'sql/functions/ledger/record_archive.sql: where q.company_id = p_company and q.environment = p_environment; [and → or]',
    ],
  ],
  [
    'The chain from an earlier seal has the same value.',
    [
      'sql/functions/ledger/chain_at.sql: where s.company_id = p_company and s.environment = p_environment and s.number <= p_number order by s.number desc limit 1; [desc → asc]',
      'sql/functions/ledger/chain_at.sql: where s.company_id = p_company and s.environment = p_environment and s.number <= p_number order by s.number desc limit 1; [<= → <]',
    ],
  ],
  [
    'An array of nulls means the same as null.',
    [
      'src/ledger/queries.ts: return values.some((value) => value !== null && value !== undefined) ? values : null [values.some((value) => value !== null && value !== undefined… → true]',
      'src/ledger/queries.ts: return values.some((value) => value !== null && value !== undefined) ? values : null [&& → ||]',
    ],
  ],
  [
    'Nothing can be between the last event that was read and the greatest id that is settled.',
    [
      'src/events/stream/stream.ts: await this.#sendRange(last > reached ? last : reached, NEWEST, () => reached) [> → <=]',
    ],
  ],
  [
    'Deleting nothing changes nothing: the condition is there for the compiler.',
    ['src/ledger/repeats.ts: if (oldest !== undefined) until.delete(oldest) [oldest !== undefined → true]'],
  ],
  ['Only whether it changed is compared.', ['src/access/versioned-cache.ts: generation += 1 [+= → -=]']],
  [
    'No comparison holds for undefined, as for 0, and it matches no pattern.',
    [
      "src/webhooks/schedule.ts: const statusCode = answer.kind === 'answered' ? answer.statusCode : 0 [answer.kind === 'answered' → true]",
      'src/webhooks/schedule.ts: if (text === undefined) return 0 [text === undefined → false]',
    ],
  ],
  [
    'It adds an empty part.',
    [
      'src/webhooks/send.ts: if (this.#keptBytes < RESPONSE_BYTES_KEPT) { [this.#keptBytes < RESPONSE_BYTES_KEPT → true]',
      'src/webhooks/send.ts: if (this.#keptBytes < RESPONSE_BYTES_KEPT) { [< → <=]',
    ],
  ],
  [
    'An entry with zero counts as none.',
    ['src/events/stream/streams.ts: if (left === 0) taken.delete(companyId) [left === 0 → false]'],
  ],
]

export const EQUIVALENT: ReadonlyMap<string, string> = new Map(
  BY_REASON.flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
)

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
      /^(?!sql\/functions\/operations\/accept).*\b(\w+)\.(?!company_id)(?:\w+_)?id = (?!p_(?!invoice\.))\(?\w+(?:\.\w+\))?\.(?:\w+_)?id\b.*\[\1\.(company_id|environment) = (?:\(?\w+(?:\.\w+\))?\.\2|p_company|p_environment) → true\]/,
    reason:
      'The server makes every id once, and the row that names this one is of the same company and environment. The condition is there for the index, and for a database that is distributed by company.',
  },
  {
    pattern:
      /from account a join \w+ (\w) on \1\.company_id = a\.company_id and \1\.environment = a\.environment and \1\.id = \$\{id\}.*\[\1\.(company_id|environment) = a\.\2 → true\]/,
    reason:
      'The accounts lead to the index. The one object with this id is found once more for each account, and the first is taken.',
  },
  {
    pattern:
      /^src\/funding\/queries\.ts: (?:(?:join invoice i on i\.company_id = l\.company_id|where i\.company_id = any\().*\[(?:and → or|.* → true)\]|from pay_link l .*\[l\.digest = any.* → true\])/,
    reason: 'More links or invoices are read. The caller takes those of its links, by their whole key.',
  },
  {
    pattern: /\.\.\.\((\w+) === undefined \? \{\} : \{ \1 \}\).*\[\1 === undefined → false\]/,
    reason: 'An option that is undefined counts as absent: the condition is there for the compiler.',
  },
  {
    pattern: /^sql\/functions\/(?:ledger|funding)\/.*\blimit 1; \[1 → 2\]/,
    reason: 'The row goes into variables, and PL/pgSQL takes the first one.',
  },
]

/** Returns why a mutant that nothing noticed changes nothing, or undefined if it should have been noticed. */
export function findReason(name: string): string | undefined {
  return EQUIVALENT.get(name) ?? EQUIVALENT_FAMILIES.find(({ pattern }) => pattern.test(name))?.reason
}
