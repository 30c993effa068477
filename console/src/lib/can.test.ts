// What can be done with an object in its state.
import type { Card, Operation } from '@cardstock/sdk'
import { expect, test } from 'vitest'
import { cardCan, operationCan } from './can.ts'

const card = (status: Card['status'], pendingStatus?: Card['pendingStatus']) =>
  ({ status, ...(pendingStatus === undefined ? {} : { pendingStatus }) }) as Card

test('an active card can be frozen, and a frozen one unfrozen', () => {
  expect([cardCan(card('active'), 'freeze'), cardCan(card('active'), 'unfreeze')]).toEqual([true, false])
  expect([cardCan(card('frozen'), 'freeze'), cardCan(card('frozen'), 'unfreeze')]).toEqual([false, true])
  expect(cardCan(card('closed'), 'close')).toBe(false)
})

test('while a change of a card is open, nothing else can be done with it', () => {
  expect(cardCan(card('active', 'frozen'), 'freeze')).toBe(false)
  expect(cardCan(card('active', 'frozen'), 'close')).toBe(false)
})

test('only an operation in review can be resolved', () => {
  const can = (status: Operation['status']) => operationCan({ status } as Operation, 'resolve')
  expect([can('manual_review'), can('processing'), can('completed')]).toEqual([true, false, false])
})
