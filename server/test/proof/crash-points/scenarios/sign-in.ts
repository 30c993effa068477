// A person signs in: every acknowledged session works, and there is no session that nobody began.
import { sql } from '../../../../src/db/sql.ts'
import { formatId } from '../../../../src/lib/ids.ts'
import type { Scenario } from '../scenario.ts'
import { createSubject, type Subject } from '../subject.ts'
import type { World } from '../world.ts'

const PASSWORD = 'a quiet horse walks home'
const BROWSER = { 'x-csrf': '1', 'sec-fetch-site': 'same-origin' }
const emailOf = ({ requestKey }: Subject) => `person-${requestKey}@example.com`

function countSessions({ db }: World, subject: Subject) {
  return db.find<{ count: bigint }>(sql`
    select count(*) as count from person_session s join person p on p.id = s.person_id where p.email = ${emailOf(subject)}`)
}

/** The session that accepting the invitation began. */
const SESSIONS_BEFORE = 1n

export const signIn: Scenario = {
  name: 'sign-in',
  serves: ['/console/v1/sign-in', '/console/v1/me'],
  outcomes: ['right password'],
  async prepare(world) {
    const subject = await createSubject(world, 'live')
    const invited = await world.send({
      method: 'POST',
      path: '/admin/v1/invitations',
      token: subject.operatorToken,
      body: { email: emailOf(subject), role: 'owner', companyId: formatId('co', subject.scope.companyId) },
    })
    const url = String(invited?.body['url'])
    const body = { token: url.slice(url.indexOf('#') + 1), name: 'Ada', password: PASSWORD }
    const used = await world.send({ method: 'POST', path: '/console/v1/links/use', headers: BROWSER, body })
    if (used?.status !== 200) throw new Error(JSON.stringify([invited, used]))
    return subject
  },
  arrange() {},
  request: (subject) => ({
    method: 'POST',
    path: '/console/v1/sign-in',
    headers: BROWSER,
    body: { email: emailOf(subject), password: PASSWORD },
  }),
  isSettled: async (world, subject) => ((await countSessions(world, subject))?.count ?? 0n) > SESSIONS_BEFORE,
  async check(world, subject, asked) {
    const problems: string[] = []
    const acknowledged = asked.flatMap(({ answer }) => (answer?.status === 200 ? [answer.cookie ?? ''] : []))
    for (const { answer } of asked) {
      if (answer !== undefined && answer.status !== 200) problems.push(`a sign-in got ${answer.status}`)
    }
    for (const cookie of acknowledged) {
      const headers = { ...BROWSER, cookie: cookie.split(';')[0] ?? '' }
      const me = await world.send({ method: 'GET', path: '/console/v1/me', headers })
      if (me?.status !== 200) problems.push(`an acknowledged session got ${me?.status}`)
    }
    const sessions = ((await countSessions(world, subject))?.count ?? 0n) - SESSIONS_BEFORE
    if (sessions < BigInt(acknowledged.length) || sessions > BigInt(asked.length))
      problems.push(`${asked.length} sign-ins, ${acknowledged.length} acknowledged, began ${sessions} sessions`)
    return problems
  },
}
