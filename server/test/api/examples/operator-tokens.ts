// The operator's tokens in the examples: one is created, listed and revoked.
import { type Journey, next } from './journey.ts'

export async function manageOperatorTokens(journey: Journey): Promise<void> {
  const { recorder, operator: token } = journey
  const path = '/admin/v1/operator-tokens'
  next(journey)
  const made = await recorder.call<{ id: string }>('token', `POST ${path}`, {
    token,
    body: { name: 'Grace Hopper' },
    expect: 201,
  })
  await recorder.call('newest', `GET ${path}?limit=1`, { token, expect: 200 })
  await recorder.call('revoke', `DELETE ${path}/${made.id}`, { token, expect: 204 })
}
