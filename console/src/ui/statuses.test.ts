// How states look.
import * as sdk from '@cardstock/sdk'
import { expect, test } from 'vitest'
import { STATUSES } from './statuses.ts'

const LISTS = Object.entries(sdk).filter(([name]) => name.endsWith('_STATUSES')) as unknown as [string, string[]][]

test('every state of every object of the API has a look', () => {
  expect(LISTS.length).toBeGreaterThan(4)
  for (const [name, statuses] of LISTS)
    for (const status of statuses) expect(STATUSES[status], `${name} ${status}`).toBeDefined()
})
