// The part of the examples that people play: they accept an invitation, sign in, and manage their account and their team.
import { codeOf, PASSWORD, tokenOf } from '../people/people.ts'
import { byName, SoftwareAuthenticator } from '../people/software-authenticator.ts'
import type { Journey } from './journey.ts'
import type { Recorder } from './recorder.ts'

interface Made {
  id: string
  name: string
  url: string
}

/** Sends the calls of one browser, whose cookie it keeps. */
class Recording {
  readonly #recorder: Recorder
  #cookie = ''
  constructor({ recorder }: Journey) {
    this.#recorder = recorder
  }
  call<Body = Record<string, unknown>>(name: string, line: string, expect: number, body?: unknown): Promise<Body> {
    const headers = {
      ...(this.#cookie === '' ? {} : { cookie: this.#cookie }),
      'x-csrf': '1',
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Example browser',
      'cardstock-environment': 'sandbox',
    }
    return this.#recorder.call<Body>(name, line, {
      headers,
      expect,
      ...(body === undefined ? {} : { body }),
      onHeaders: (all) => {
        const set = all.get('set-cookie')
        if (set !== null) this.#cookie = set.split(';')[0] ?? ''
      },
    })
  }
}

export async function meetPeople(journey: Journey): Promise<void> {
  const { recorder, operator: token, company } = journey
  const body = { email: 'ada@example.com', role: 'owner', companyId: company }
  const invitation = await recorder.call<Made>('owner', 'POST /admin/v1/invitations', { token, body, expect: 201 })
  await recorder.call('invitations', `GET /admin/v1/invitations?companyId=${company}&limit=1`, { token, expect: 200 })
  const spare = await recorder.call<Made>('support', 'POST /admin/v1/invitations', {
    token,
    body: { email: 'grace@example.com', role: 'support' },
    expect: 201,
  })
  await recorder.call('revoke', `DELETE /admin/v1/invitations/${spare.id}`, { token, expect: 204 })
  const ada = new Recording(journey)
  const link = { token: tokenOf(invitation.url) }
  await ada.call('invitation', 'POST /console/v1/links/read', 200, link)
  await ada.call('invitation', 'POST /console/v1/links/use', 200, { ...link, name: 'Ada Lovelace', password: PASSWORD })
  await ada.call('sign in', 'POST /console/v1/sign-in', 200, { email: 'ada@example.com', password: PASSWORD })
  await useAccount(ada)
  await addSecondFactor(journey, ada)
  await usePasskeys(journey, ada)
  await manageTeam(journey, ada)
  await ada.call('remove', 'DELETE /console/v1/second-factor/totp', 204)
  const people = `GET /admin/v1/people?companyId=${company}&limit=1`
  const { data } = await recorder.call<{ data: Made[] }>('people', people, { token, expect: 200 })
  const path = `/admin/v1/people/${data[0]?.id}`
  await recorder.call('owner', `PATCH ${path}`, { token, body: { role: 'owner', companyId: company }, expect: 200 })
  await recorder.call('new password', `POST ${path}/reset`, { token, body: {}, expect: 200 })
  const other = await joinAsViewer(journey)
  await recorder.call('remove', `DELETE /admin/v1/people/${other}?companyId=${company}`, { token, expect: 204 })
  await ada.call('sign out', 'POST /console/v1/sign-out', 204)
}

/** Returns the id of somebody who has just joined the company. */
async function joinAsViewer(journey: Journey): Promise<string> {
  const { world, company, operator: token } = journey
  const body = { email: 'joan@example.com', role: 'viewer', companyId: company }
  const made = await world.server.request<Made>('POST', '/admin/v1/invitations', { token, body })
  const use = { token: tokenOf(made.body.url), name: 'Joan Clarke', password: PASSWORD }
  const headers = { 'x-csrf': '1', 'sec-fetch-site': 'same-origin' }
  const used = await world.server.request<{ me: Made }>('POST', '/console/v1/links/use', { body: use, headers })
  return used.body.me.id
}

async function useAccount(ada: Recording): Promise<void> {
  await ada.call('me', 'GET /console/v1/me', 200)
  await ada.call('rename', 'PATCH /console/v1/me', 200, { name: 'Ada King' })
  const change = { currentPassword: PASSWORD, newPassword: 'eleven brown foxes' }
  await ada.call('new password', 'POST /console/v1/password', 204, change)
  const { data } = await ada.call<{ data: Made[] }>('sessions', 'GET /console/v1/sessions', 200)
  await ada.call('time zone', 'PUT /console/v1/time-zone', 200, { timeZone: 'Europe/London' })
  await ada.call('mails', 'GET /console/v1/notifications', 200)
  await ada.call('mails', 'PATCH /console/v1/notifications', 200, { lowBalance: false })
  await ada.call('others', 'DELETE /console/v1/sessions', 204)
  await ada.call('one', `DELETE /console/v1/sessions/${data[0]?.id}`, 204)
  await ada.call('sign in again', 'POST /console/v1/sign-in', 200, {
    email: 'ada@example.com',
    password: 'eleven brown foxes',
  })
}

async function addSecondFactor({ world }: Journey, ada: Recording): Promise<void> {
  const { secret } = await ada.call<{ secret: string }>('app', 'POST /console/v1/second-factor/totp', 201, {
    password: 'eleven brown foxes',
  })
  const code = () => ({ code: codeOf(secret, world.server) })
  await ada.call('first code', 'POST /console/v1/second-factor/totp/confirm', 200, code())
  await ada.call('app', 'GET /console/v1/second-factor', 200)
  world.server.clock.advance(30_000)
  await ada.call('code', 'POST /console/v1/second-factor/verify', 200, code())
  await ada.call('new codes', 'POST /console/v1/second-factor/recovery-codes', 200)
}

async function usePasskeys(journey: Journey, ada: Recording): Promise<void> {
  const device = new SoftwareAuthenticator(byName(journey.world.server).baseUrl)
  type Start = { challenge: string; user: { id: string } }
  const begun = await ada.call<Start>('laptop', 'POST /console/v1/passkey-registrations', 200, {})
  const wanted = { name: 'Laptop', credential: device.create(begun) }
  const { id } = await ada.call<Made>('laptop', 'POST /console/v1/passkeys', 201, wanted)
  await ada.call('passkeys', 'GET /console/v1/passkeys', 200)
  await ada.call('rename', `PATCH /console/v1/passkeys/${id}`, 200, { name: 'Old laptop' })
  const proof = await ada.call<Start>('passkey', 'POST /console/v1/second-factor/passkey/start', 200)
  await ada.call('passkey', 'POST /console/v1/second-factor/passkey', 200, { credential: device.get(proof) })
  const start = await ada.call<Start>('passkey', 'POST /console/v1/sign-in/passkey/start', 200)
  await ada.call('passkey', 'POST /console/v1/sign-in/passkey', 200, { credential: device.get(start) })
  await ada.call('remove', `DELETE /console/v1/passkeys/${id}`, 204)
}

async function managePeople(ada: Recording): Promise<void> {
  const { data } = await ada.call<{ data: Made[] }>('people', 'GET /api/v1/people', 200)
  await ada.call('audit log', 'GET /api/v1/audit-log?limit=1', 200)
  const grace = data.find(({ name }) => name === 'Grace Hopper')?.id
  await ada.call('finance', `PATCH /api/v1/people/${grace}`, 200, { role: 'finance' })
  await ada.call('lost telephone', `POST /api/v1/people/${grace}/reset`, 200, { removeSecondFactor: true })
  await ada.call('remove', `DELETE /api/v1/people/${grace}`, 204)
  const key = { name: 'Back office', scopes: ['balance:read', 'operations:read'] }
  const made = await ada.call<Made>('key', 'POST /api/v1/keys', 201, key)
  await ada.call('keys', 'GET /api/v1/keys?limit=1', 200)
  const next = await ada.call<Made>('rotate', `POST /api/v1/keys/${made.id}/rotate`, 201, { overlapSeconds: 3600 })
  await ada.call('revoke', `DELETE /api/v1/keys/${next.id}`, 204)
}

async function manageTeam(journey: Journey, ada: Recording): Promise<void> {
  const { operator: token, world, company } = journey
  const wanted = { email: 'grace@example.com', role: 'developer' }
  const made = await ada.call<Made>('developer', 'POST /api/v1/invitations', 201, wanted)
  await ada.call('invitations', 'GET /api/v1/invitations?limit=1', 200)
  await ada.call('revoke', `DELETE /api/v1/invitations/${made.id}`, 204)
  const again = await world.server.request<Made>('POST', '/admin/v1/invitations', {
    token,
    body: { ...wanted, companyId: company },
  })
  const use = { token: tokenOf(again.body.url), name: 'Grace Hopper', password: PASSWORD }
  await new Recording(journey).call('second account', 'POST /console/v1/links/use', 200, use)
  await managePeople(ada)
  const other = await world.server.createCompany()
  const second = await world.server.request<Made>('POST', '/admin/v1/invitations', {
    token,
    body: { email: 'ada@example.com', role: 'viewer', companyId: other.wireId },
  })
  await ada.call('second company', 'POST /console/v1/me/invitations', 200, { token: tokenOf(second.body.url) })
}
