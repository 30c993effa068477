// Operations in words and steps.
import { OPERATION_STATUSES, type Operation } from '@cardstock/sdk'
import { expect, test } from 'vitest'
import { stepsOf } from './steps.ts'
import { describeOperation, isMoving } from './words.ts'

const operation = (status: Operation['status'], more: Partial<Operation> = {}) =>
  ({ status, total: '1028.05', ...more }) as Operation

test('every state says what became of the money', () => {
  for (const status of OPERATION_STATUSES)
    expect(describeOperation(operation(status)), status).toContain('1,028.05 USD')
  expect(describeOperation(operation('manual_review'))).toContain('do not send it again')
  expect(
    describeOperation(operation('failed', { failure: { code: 'declined', message: 'The issuer refused.' } })),
  ).toMatch(/available again\. The issuer refused\.$/)
})

test('only what can change without a person is followed', () => {
  expect(OPERATION_STATUSES.filter((status) => isMoving(operation(status)))).toEqual(['queued', 'processing'])
  expect(isMoving(undefined)).toBe(true)
})

test('the timeline has what happened, then what comes next', () => {
  const at = '2026-01-31T12:00:00.000Z'
  const happened = [
    { step: 'accepted', at },
    { step: 'answered', at, outcome: 'unknown' },
  ] as never
  expect(stepsOf(operation('manual_review'), happened)).toEqual([
    { title: 'Accepted, funds held', tone: 'green', shape: 'check', at },
    {
      title: 'No clear answer from the issuer',
      tone: 'amber',
      shape: 'triangle',
      at,
      detail: 'The issuer has not confirmed whether it was carried out.',
    },
    { title: 'Waiting for a decision', tone: 'grey', shape: 'ring' },
  ])
  expect(stepsOf(operation('completed'), happened)).toHaveLength(2)
})

test('nothing says that the issuer answered, or that something was sent, if that is not known', () => {
  const at = '2026-01-31T12:00:00.000Z'
  const titles = (outcome: string) =>
    stepsOf(operation('queued'), [
      { step: 'sent', at },
      { step: 'answered', at, outcome },
    ] as never).map(({ title }) => title)
  expect(titles('declined').slice(0, 2)).toEqual(['Sent to the issuer', 'The issuer answered'])
  expect(titles('unknown').slice(0, 2)).toEqual(['Sent to the issuer', 'No clear answer from the issuer'])
  expect(titles('not_sent').slice(0, 2)).toEqual(['Picked up for sending', 'The issuer could not be reached'])
})
