// How long a second factor counts, what needs it again, and what a person may do in a company.
import { describe, expect, it } from 'vitest'
import { ROLE_PERMISSIONS } from './permissions.ts'
import { type MemberCompany, requireStepUp, type Session, toMember, VERIFIED_FOR_MS, verifiedUntil } from './session.ts'

const now = new Date('2026-03-10T12:00:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const session: Session = {
  id: 'session',
  personId: 'person',
  name: 'Ada',
  email: 'ada@example.com',
  timeZone: null,
  hasPassword: true,
  hasSecondFactor: true,
  programmeRole: null,
  companies: [],
  address: '203.0.113.7',
  userAgent: 'test',
  createdAt: now,
  lastSeenAt: now,
  expiresAt: now,
  verifiedAt: null,
}

it('a second factor counts for ten minutes', () => {
  expect(VERIFIED_FOR_MS).toBe(600_000)
  expect(verifiedUntil({ verifiedAt: null }, now)).toBeNull()
  expect(verifiedUntil({ verifiedAt: now }, now)).toEqual(new Date('2026-03-10T12:10:00.000Z'))
  expect(verifiedUntil({ verifiedAt: ago(599_999) }, now)).toEqual(new Date('2026-03-10T12:00:00.001Z'))
  expect(verifiedUntil({ verifiedAt: ago(600_000) }, now)).toBeNull()
})

describe('what needs the second factor again', () => {
  it.each([
    ['without a factor, in the sandbox', { hasSecondFactor: false }, false, undefined],
    ['without a factor, in live', { hasSecondFactor: false }, true, 'second_factor_missing'],
    ['with a factor that was just proved, in the sandbox', { verifiedAt: now }, false, undefined],
    ['with a factor that was just proved, in live', { verifiedAt: now }, true, undefined],
    ['with a factor that was never proved, in the sandbox', {}, false, 'step_up_required'],
    ['with a factor that was proved long ago, in live', { verifiedAt: ago(600_000) }, true, 'step_up_required'],
  ])('%s', (_when, more, isLive, code) => {
    const attempt = () => requireStepUp({ ...session, ...more }, now, { isLive })
    if (code === undefined) expect(attempt).not.toThrow()
    else expect(attempt).toThrow(expect.objectContaining({ code }))
  })
})

it('a member has the permissions of the role in the environment, also when asked again', () => {
  const company = { id: 'company', name: 'C', kind: 'corporate', verification: 'approved' } as const
  const flags = { live_services: false, direct_invoices: false, suspended: false }
  for (let round = 0; round < 2; round += 1) {
    for (const role of Object.keys(ROLE_PERMISSIONS) as MemberCompany['role'][]) {
      for (const environment of ['sandbox', 'live'] as const) {
        const caller = toMember(session, { ...company, ...flags, role }, environment)
        expect(caller.permissions).toEqual(new Set(ROLE_PERMISSIONS[role][environment]))
        expect(caller).toMatchObject({ by: session, scope: { companyId: 'company', environment }, verified: true })
      }
    }
  }
})
