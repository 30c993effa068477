// The part of the examples that people play: they accept an invitation, sign in, and manage their account and their team.
import { codeOf, PASSWORD, tokenOf } from '../../people/people.ts'
import type { Journey } from './journey.ts'
import type { Recorder } from './recorder.ts'

interface Made {
  id: string
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
  await manageTeam(journey, ada)
  await ada.call('remove', 'DELETE /console/v1/second-factor/totp', 204)
  await ada.call('sign out', 'POST /console/v1/sign-out', 204)
}

async function useAccount(ada: Recording): Promise<void> {
  await ada.call('me', 'GET /console/v1/me', 200)
  await ada.call('rename', 'PATCH /console/v1/me', 200, { name: 'Ada King' })
  const change = { currentPassword: PASSWORD, newPassword: 'eleven brown foxes' }
  await ada.call('new password', 'POST /console/v1/password', 204, change)
  const { data } = await ada.call<{ data: Made[] }>('sessions', 'GET /console/v1/sessions', 200)
  await ada.call('others', 'DELETE /console/v1/sessions', 204)
  await ada.call('one', `DELETE /console/v1/sessions/${data[0]?.id}`, 204)
  await ada.call('sign in again', 'POST /console/v1/sign-in', 200, {
    email: 'ada@example.com',
    password: 'eleven brown foxes',
  })
}

async function addSecondFactor({ world }: Journey, ada: Recording): Promise<void> {
  const { secret } = await ada.call<{ secret: string }>('app', 'POST /console/v1/second-factor/totp', 201)
  const code = () => ({ code: codeOf(secret, world.server) })
  await ada.call('first code', 'POST /console/v1/second-factor/totp/confirm', 200, code())
  await ada.call('app', 'GET /console/v1/second-factor', 200)
  world.server.clock.advance(30_000)
  await ada.call('code', 'POST /console/v1/second-factor/verify', 200, code())
  await ada.call('new codes', 'POST /console/v1/second-factor/recovery-codes', 200)
}

async function manageTeam({ operator: token, world }: Journey, ada: Recording): Promise<void> {
  const wanted = { email: 'grace@example.com', role: 'developer' }
  const made = await ada.call<Made>('developer', 'POST /api/v1/invitations', 201, wanted)
  await ada.call('invitations', 'GET /api/v1/invitations?limit=1', 200)
  await ada.call('revoke', `DELETE /api/v1/invitations/${made.id}`, 204)
  const other = await world.server.createCompany()
  const second = await world.server.request<Made>('POST', '/admin/v1/invitations', {
    token,
    body: { email: 'ada@example.com', role: 'viewer', companyId: other.wireId },
  })
  await ada.call('second company', 'POST /console/v1/me/invitations', 200, { token: tokenOf(second.body.url) })
}
