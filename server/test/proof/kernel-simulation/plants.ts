// Bugs that are planted into the kernel, one at a time. The judge must catch each of them.
import type { CardProvider, Found, Next, Sent } from '../../../src/adapter/provider.ts'

interface Patch {
  readonly find: string
  readonly replace: string
}

export interface Plant {
  readonly name: string
  /** Changes kernel.sql, where the text occurs exactly once. */
  readonly sql?: readonly Patch[]
  /** Changes every statement in which the text occurs. */
  readonly statements?: readonly Patch[]
  readonly provider?: (provider: CardProvider) => CardProvider
}

export const PLANTS: readonly Plant[] = [
  {
    name: 'a call without an answer is sent again',
    provider: (provider) =>
      changed(provider, { sent: (sent) => (sent.kind === 'unknown' ? { ...sent, kind: 'not_sent' } : sent) }),
  },
  {
    name: 'what a look-up does not find was refused',
    provider: (provider) =>
      changed(provider, {
        found: (found) =>
          found.kind === 'absent' ? { kind: 'refused', code: 'absent', message: 'The bank does not know it.' } : found,
      }),
  },
  {
    name: 'a fence does not look at what was sent',
    sql: [{ find: "s.type = 'action' and s.state <> 'not_sent'", replace: 'false' }],
  },
  {
    name: 'a step begins although the token was fenced',
    sql: [
      {
        find: 'perform 1 from issuer_adapter.request where token = p_token and answer is null for update;',
        replace: 'perform 1 from issuer_adapter.request where token = p_token for update;',
      },
    ],
  },
  {
    name: 'a step begins although another process has begun it',
    sql: [{ find: "where s.state in ('not_sent', 'again');", replace: 'where true;' }],
  },
  {
    name: 'the last look-up ends the request instead of asking a person',
    statements: [
      {
        find: 'update issuer_adapter.task\n    set waiting_since = coalesce(waiting_since, $1::timestamptz), waiting_reason = $2, leased_until = $3',
        replace: `with ended as (update issuer_adapter.step set state = 'refused', code = 'gone', message = $2 where token = $4 and state in ('sending', 'unknown'))
    update issuer_adapter.task set leased_until = coalesce($3, $1::timestamptz)`,
      },
    ],
  },
  {
    name: 'the outcome is not told by an event',
    statements: [
      {
        find: 'insert into issuer_adapter.event (id, body, due_at, created_at) values ($1, $2, $3, $4)',
        replace:
          "insert into issuer_adapter.event (id, body, due_at, created_at) select $1::text, $2::text, $3::timestamptz, $4::timestamptz where $1::text not like 'outcome%'",
      },
    ],
  },
  {
    name: 'an event is delivered when it was sent',
    statements: [{ find: 'set status = $1, due_at', replace: "set status = coalesce('delivered', $1), due_at" }],
  },
  {
    name: 'requests on one card are not serialised',
    sql: [
      {
        find: 'and s.token <> p_token) then return false; end if;',
        replace: 'and s.token <> p_token and false) then return false; end if;',
      },
    ],
  },
]

interface Change {
  sent?(sent: Sent): Sent
  found?(found: Found): Found
}

function changed(provider: CardProvider, { sent = (it) => it, found = (it) => it }: Change): CardProvider {
  const wrap = (next: Next): Next => {
    if (next.kind !== 'step' || next.step.type === 'reading') return next
    const { step } = next
    const send = async () => sent(await step.send())
    const lookUp = async () => found(await step.lookUp())
    return { kind: 'step', step: { ...step, send, lookUp } }
  }
  return { ...provider, next: (request, history) => wrap(provider.next(request, history)) }
}
