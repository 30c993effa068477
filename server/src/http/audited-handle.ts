// Writes what people change through a company's routes to the audit log. A line is written before the change, so that no crash
// can hide who asked for it, and another with its result. Routes for people only write their own lines, with the change.
import type { Actor } from '../access/audit.ts'
import { callerActor } from '../access/audit.ts'
import { ApiError } from '../errors.ts'
import type { Log } from '../lib/log.ts'
import type { Scope } from '../lib/scope.ts'
import type { CompanyCall, Route } from './route.ts'

export type AuditChange = (
  scope: Scope,
  actor: Actor,
  what: { action: string; object?: string; details: Readonly<Record<string, unknown>> },
) => Promise<void>

export function auditedHandle(route: Route, auditChange: AuditChange, log: Log): Route['handle'] {
  const { access, method, id } = route
  if (access.by !== 'company' || method === 'GET' || access.changesNothing === true) return (call) => route.handle(call)
  const handleAudited: Route['handle'] = async (call) => {
    const { caller } = call
    const actor = callerActor(caller, call)
    const details = detailsOf(call)
    const named = objectOf(call.params)
    await auditChange(caller.scope, actor, { action: id, ...named, details })
    const logResult = (result: string, about: object, more: object) =>
      auditChange(caller.scope, actor, { action: `${id}.${result}`, ...about, details: { ...details, ...more } }).catch(
        (error: unknown) =>
          log.error({ error, requestId: call.requestId }, 'The result of a change is not in the audit log.'),
      )
    try {
      const answer = await route.handle(call)
      await logResult('done', { ...named, ...objectOf(answer.body) }, { status: answer.status })
      return answer
    } catch (error) {
      await logResult('refused', named, { code: error instanceof ApiError ? error.code : 'internal' })
      throw error
    }
  }
  return (call) => ('keyId' in call.caller.by ? route.handle(call) : handleAudited(call))
}

function detailsOf({ caller, idempotencyKey }: CompanyCall): Record<string, unknown> {
  const { environment } = caller.scope
  return idempotencyKey === '' ? { environment } : { environment, idempotencyKey }
}

/** Returns the id of what is changed, where the path or the answer has one. */
function objectOf(fields: unknown): { object?: string } {
  const text = typeof fields === 'string' ? idInText(fields) : (fields as { id?: unknown } | undefined)?.id
  return typeof text === 'string' && text.length <= OBJECT_LENGTH_MAX ? { object: text } : {}
}

/** Longer than every id of ours. */
const OBJECT_LENGTH_MAX = 64

/** Some answers are finished JSON. Their own id stands first. */
function idInText(text: string): string | undefined {
  return /^\{"id":"(\w+)"/.exec(text)?.[1]
}
