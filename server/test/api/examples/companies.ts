// The operator opens a company in the examples: verification, capabilities, keys and a holder.
import { type Journey, type Made, next, untilEvent } from './journey.ts'

export async function openCompany(journey: Journey): Promise<void> {
  const { recorder, operator } = journey
  const token = operator
  const company = await recorder.call<Made>('company', 'POST /admin/v1/companies', {
    token,
    body: { name: 'Acme Ltd', kind: 'corporate' },
    expect: 201,
  })
  journey.company = company.id
  const path = `/admin/v1/companies/${company.id}`
  await recorder.call('pending', `GET ${path}`, { token, expect: 200 })
  await recorder.call('approve', `POST ${path}/verification`, {
    token,
    body: { decision: 'approve', reason: 'The documents are complete.' },
    expect: 200,
  })
  await recorder.call('activate', `PATCH ${path}/capabilities`, {
    token,
    body: { liveServices: true, directInvoices: true },
    expect: 200,
  })
  await recorder.call('suspend', `POST ${path}/suspension`, {
    token,
    body: { suspended: true, reason: 'The company asked for it.' },
    expect: 200,
  })
  await recorder.call('resume', `POST ${path}/suspension`, {
    token,
    body: { suspended: false, reason: 'The company is back.' },
    expect: 200,
  })
  await recorder.call('companies', 'GET /admin/v1/companies?limit=1', { token, expect: 200 })
  await recorder.call('overview', 'GET /admin/v1/overview', { token, expect: 200 })
  await recorder.call('health', 'GET /admin/v1/health', { token, expect: 200 })
  await recorder.call('holders', `GET ${path}/holders?environment=live`, { token, expect: 200 })
  const scopes = [
    'funding:write',
    'cards:write',
    'services:write',
    'cards:read',
    'holders:read',
    'operations:read',
    'balance:read',
    'holders:write',
    'webhooks:read',
    'webhooks:write',
  ]
  const keyBody = (environment: string) => ({ environment, name: 'Back office', scopes })
  const created = await recorder.call<Made>('sandbox', `POST ${path}/keys`, {
    token,
    body: keyBody('sandbox'),
    expect: 201,
  })
  journey.key = created.key
  next(journey)
  const live = await recorder.call<Made>('live', `POST ${path}/keys`, { token, body: keyBody('live'), expect: 201 })
  journey.live = live.key
  next(journey)
  const spare = await recorder.call<Made>('limited', `POST ${path}/keys`, {
    token,
    body: {
      environment: 'sandbox',
      name: 'Reporting',
      scopes: ['balance:read'],
      expiresAt: '2027-01-31T00:00:00Z',
      allowedCidrs: ['203.0.113.0/24'],
    },
    expect: 201,
  })
  await recorder.call('keys', `GET ${path}/keys?limit=1`, { token, expect: 200 })
  next(journey)
  const successor = await recorder.call<Made>('rotate', `POST ${path}/keys/${spare.id}/rotate`, {
    token,
    body: { overlapSeconds: 3600 },
    expect: 201,
  })
  // A job tells it sooner or later. It must not be delivered to the endpoint whose deliveries are an example.
  await untilEvent(journey, 'api_key.expiring')
  await recorder.call('revoke', `DELETE ${path}/keys/${successor.id}`, { token, expect: 204 })
  next(journey)
  const holder = await recorder.call<Made>('holder', `POST ${path}/holders`, {
    token,
    body: { environment: 'live', name: 'Grace Hopper', email: 'grace@example.com', kind: 'individual' },
    expect: 201,
  })
  await recorder.call('block', `PATCH ${path}/holders/${holder.id}`, {
    token,
    body: { environment: 'live', status: 'blocked' },
    expect: 200,
  })
  await recorder.call('erase', `POST ${path}/holders/${holder.id}/erase`, {
    token,
    body: { environment: 'live' },
    expect: 200,
  })
}
