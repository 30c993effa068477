// An operator rotates a key: there is one successor, and an operator who never saw its secret can rotate it in turn.
import { sql } from '../../../../src/db/sql.ts'
import { findId, formatId } from '../../../../src/lib/ids.ts'
import type { Scenario } from '../scenario.ts'
import { createSubject, type Subject } from '../subject.ts'
import type { World } from '../world.ts'

function readKeys({ db }: World, { scope }: Subject) {
  return db.many<{ id: string; successor_id: string | null }>(sql`
    select id, successor_id from api_key where company_id = ${scope.companyId} order by id`)
}

const rotate = (subject: Subject, keyId: string) => ({
  method: 'POST' as const,
  path: `/admin/v1/companies/${formatId('co', subject.scope.companyId)}/keys/${keyId}/rotate`,
  token: subject.operatorToken,
  body: {},
})

const works = async (world: World, token: string) =>
  (await world.send({ method: 'GET', path: '/api/v1/balance', token }))?.status === 200

export const keyRotation: Scenario = {
  name: 'key rotation',
  serves: ['/admin/v1/companies/:id/keys/:keyId/rotate', '/api/v1/balance'],
  outcomes: ['completes'],
  prepare: (world) => createSubject(world, 'live'),
  arrange() {},
  request: (subject) => rotate(subject, subject.keyId),
  isSettled: async (world, subject) => (await readKeys(world, subject)).length === 2,
  async check(world, subject, asked) {
    const problems: string[] = []
    const keys = await readKeys(world, subject)
    const [old, successor, ...more] = keys
    if (old === undefined || successor === undefined || more.length > 0 || old.successor_id !== successor.id)
      return [`there are ${keys.length} keys after a rotation`]
    const shown = asked.find(({ answer }) => answer?.status === 201)?.answer?.body
    for (const { answer } of asked) {
      if (answer === undefined || answer.status === 201) continue
      const details = answer.body['details'] as { successorId?: string } | undefined
      if (findId('key', details?.successorId ?? '') !== successor.id)
        problems.push(`a repeated rotation got ${answer.status}: ${JSON.stringify(answer.body)}`)
    }
    if (!(await works(world, subject.key))) problems.push('the old key does not work during the overlap')
    if (shown !== undefined) {
      if (!(await works(world, String(shown['key'])))) problems.push('the new key does not work')
      return problems
    }
    const again = await world.send(rotate(subject, formatId('key', successor.id)))
    if (again?.status !== 201 || !(await works(world, String(again.body['key']))))
      problems.push(`a successor whose secret is lost cannot be rotated: ${again?.status}`)
    return problems
  },
}
