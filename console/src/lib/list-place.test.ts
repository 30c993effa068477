// Where a list was left.
import { beforeEach, expect, test } from 'vitest'
import { useFakeStorage } from '../../test/storage.ts'
import { findPlace, forgetPlaces, keepPlace, rememberPlace } from './list-place.ts'

useFakeStorage()
beforeEach(forgetPlaces)

test('a list opens where it was left, and another list does not', () => {
  rememberPlace('cards', { cursors: ['a', 'b'] })
  expect(findPlace('cards')).toEqual({ cursors: ['a', 'b'] })
  expect(findPlace('holders')).toBeUndefined()
})

test('the place that was kept for a reload counts once', () => {
  keepPlace('cards', { cursors: ['a'], y: 900 })
  expect(findPlace('cards')).toMatchObject({ cursors: ['a'], y: 900 })
  rememberPlace('cards', { cursors: ['a'] })
  expect(findPlace('cards')).toEqual({ cursors: ['a'] })
})

test('the place that was kept is still there when a list was begun but not drawn', () => {
  keepPlace('cards', { cursors: ['a'], y: 900 })
  findPlace('holders')
  findPlace('cards')
  expect(findPlace('cards')).toMatchObject({ cursors: ['a'], y: 900 })
})

test('the place that was kept is gone when another list was drawn', () => {
  keepPlace('cards', { cursors: ['a'], y: 900 })
  rememberPlace('holders', { cursors: [] })
  expect(findPlace('cards')).toBeUndefined()
})

test('only the last twenty lists are remembered', () => {
  for (let index = 0; index < 21; index += 1) rememberPlace(`list ${index}`, { cursors: [`${index}`] })
  expect(findPlace('list 0')).toBeUndefined()
  expect(findPlace('list 1')).toBeDefined()
})

test('the next person finds no place', () => {
  rememberPlace('cards', { cursors: ['a'] })
  keepPlace('cards', { cursors: ['a'] })
  forgetPlaces()
  expect(findPlace('cards')).toBeUndefined()
})
