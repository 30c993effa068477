// What is refused to people: links, passwords, sessions, second factors, passkeys and roles.
import { addTotp, Browser, invite, join, PASSWORD } from '../../people/people.ts'
import { byName, registerPasskey } from '../../people/software-authenticator.ts'
import type { LiveWorld } from '../../../support/live.ts'
import type { Recorder } from '../recorder.ts'

const INVITATIONS_MAX = 100
const PASSKEYS_MAX = 20
const STEP_UP_MS = 10 * 60_000
const HOLDER = { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' }

/** The clock moves by ten minutes. */
export async function refusePeople(world: LiveWorld, recorder: Recorder): Promise<void> {
  await refuseLinks(world, recorder)
  await refuseSessions(world, recorder)
  await refusePasskeys(world, recorder)
  await refuseTeam(world, recorder)
}

async function refuseLinks({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const company = await server.createCompany()
  const use = (token: string, password = PASSWORD) =>
    new Browser(server).post('/console/v1/links/use', { token, name: 'Ada Lovelace', password })
  const invitation = await invite(server, 'viewer', { company, email: 'viewer@example.com' })
  recorder.refuse('password_refused', await use(invitation.token, 'short'))
  await use(invitation.token)
  recorder.refuse('link_not_valid', await use(invitation.token))
  const { email } = invitation
  const other = await invite(server, 'viewer', { company: await server.createCompany(), email })
  recorder.refuse('account_exists', await use(other.token))
  const wanted = (address: string) => ({ email: address, role: 'viewer', companyId: company.wireId })
  const open = (address: string) => server.post('/admin/v1/invitations', server.operatorToken, wanted(address))
  recorder.refuse('already_member', await open(email))
  for (let count = 0; count < INVITATIONS_MAX; count += 1) await invite(server, 'viewer', { company })
  recorder.refuse('invitation_limit', await open('one-more@example.com'))
}

async function refuseSessions({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const company = await server.createCompany()
  const owner = await join(server, 'owner', company)
  const stranger = new Browser(server)
  recorder.refuse('invalid_credentials', await stranger.signIn(owner.email, 'wrong password here'))
  recorder.refuse('invalid_session', await stranger.get('/console/v1/me'))
  recorder.refuse('csrf_refused', await owner.post('/api/v1/holders', HOLDER, { headers: { 'x-csrf': '' } }))
  recorder.refuse('role_not_allowed', await owner.get('/admin/v1/companies'))
  const { wireId } = await server.createCompany()
  recorder.refuse('membership_required', await owner.get('/api/v1/balance', { company: wireId }))
  const { email } = await join(server, 'viewer', company)
  recorder.refuse('email_taken', await owner.send('PATCH', '/console/v1/me', { body: { email, password: PASSWORD } }))

  const writeLive = () => owner.post('/api/v1/holders', HOLDER, { environment: 'live' })
  recorder.refuse('second_factor_missing', await writeLive())
  await addTotp(owner)
  recorder.refuse('second_factor_required', await stranger.signIn(owner.email))
  recorder.refuse('invalid_second_factor', await stranger.signIn(owner.email, PASSWORD, { code: '000000' }))
  server.clock.advance(STEP_UP_MS)
  recorder.refuse('step_up_required', await writeLive())
}

async function refusePasskeys({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const start = '/console/v1/passkey-registrations'
  const owner = await join(server, 'owner', await server.createCompany())
  recorder.refuse('passkeys_unavailable', await owner.post(start, { password: PASSWORD }))
  const named = Object.assign(new Browser(byName(server)), { cookie: owner.cookie })
  recorder.refuse('password_required', await named.post(start, {}))
  const device = await registerPasskey(named)
  const credential = device.get({ challenge: 'AAAA' })
  recorder.refuse('passkey_refused', await named.post('/console/v1/second-factor/passkey', { credential }))
  await server.db.run({
    name: undefined,
    text: 'update person set password = null where email = $1',
    values: [owner.email],
  })
  const remove = await named.send('DELETE', `/console/v1/passkeys/${device.passkeyId}`)
  recorder.refuse('last_sign_in_method', remove)
  for (let count = 1; count < PASSKEYS_MAX; count += 1) await registerPasskey(named)
  recorder.refuse('passkey_limit', await named.post(start, {}))
}

async function refuseTeam({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const company = await server.createCompany()
  const owner = await join(server, 'owner', company)
  const { id } = (await owner.get<{ id: string }>('/console/v1/me')).body
  const path = `/admin/v1/people/${id}`
  const body = { role: 'viewer', companyId: company.wireId }
  const token = server.operatorToken
  recorder.refuse('last_owner', await server.request('PATCH', path, { token, body }))
  // Somebody who belongs to another company too is not reset by an owner of one of them.
  const viewer = await join(server, 'viewer', company)
  const other = await server.createCompany()
  const invitation = await invite(server, 'viewer', { company: other, email: viewer.email })
  await viewer.post('/console/v1/me/invitations', { token: invitation.token })
  const person = (await viewer.get<{ id: string }>('/console/v1/me')).body
  await addTotp(owner)
  recorder.refuse('reset_not_allowed', await owner.post(`/api/v1/people/${person.id}/reset`, {}))
}
