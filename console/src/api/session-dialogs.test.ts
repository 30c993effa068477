// A change that is refused because the person has to sign in again, or to show the second factor.
import { AuthenticationError, BadRequestError } from '@cardstock/sdk'
import { expect, test, vi } from 'vitest'
import { answer, asked, guarded } from './session-dialogs.ts'

const ended = new AuthenticationError('The session has ended.', { code: 'invalid_session' })
const stepUp = new AuthenticationError('Prove it.', { code: 'step_up_required' })

test('the call is made again after the person has answered', async () => {
  const call = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(ended)
    .mockRejectedValueOnce(stepUp)
    .mockResolvedValueOnce('done')
  const result = guarded(call)
  await vi.waitFor(() => expect(asked.get()).toBe('sign-in'))
  expect(call).toHaveBeenCalledTimes(1)
  answer(true)
  await vi.waitFor(() => expect(asked.get()).toBe('second-factor'))
  answer(true)
  await expect(result).resolves.toBe('done')
  expect([call.mock.calls.length, asked.get()]).toEqual([3, 'nothing'])
})

test('the refusal is thrown if the person closes the dialog, and the call is not made again', async () => {
  const call = vi.fn<() => Promise<string>>().mockRejectedValue(ended)
  const result = guarded(call)
  await vi.waitFor(() => expect(asked.get()).toBe('sign-in'))
  answer(false)
  await expect(result).rejects.toBe(ended)
  expect(call).toHaveBeenCalledTimes(1)
})

test('the person is asked at most twice, and not about other refusals', async () => {
  const call = vi.fn<() => Promise<string>>().mockRejectedValue(ended)
  const result = guarded(call)
  for (const times of [1, 2]) {
    await vi.waitFor(() => expect([call.mock.calls.length, asked.get()]).toEqual([times, 'sign-in']))
    answer(true)
  }
  await expect(result).rejects.toBe(ended)
  expect([call.mock.calls.length, asked.get()]).toEqual([3, 'nothing'])
  const refusal = new BadRequestError('No.', { code: 'insufficient_funds' })
  await expect(guarded(() => Promise.reject(refusal))).rejects.toBe(refusal)
  expect(asked.get()).toBe('nothing')
})
