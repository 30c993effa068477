// Templates of SQL: values become parameters, and only fragments of the source become text.
import { describe, expect, it } from 'vitest'
import { aliased, fragment, planEachTime, sql } from './sql.ts'

const COLUMNS = fragment`id, name`
const OTHERS = fragment`id`

describe('a statement', () => {
  it('has a parameter for every value, whatever the value is', () => {
    const { text, values } = sql`select ${'1; drop table account'} where id = ${2}`
    expect(text).toBe('select $1 where id = $2')
    expect(values).toEqual(['1; drop table account', 2])
  })

  it('has the text of fragments, and numbers only the parameters', () => {
    const { text, values } = sql`select ${COLUMNS} from card where id = ${1} and ${COLUMNS} = ${2}`
    expect(text).toBe('select id, name from card where id = $1 and id, name = $2')
    expect(values).toEqual([1, 2])
  })

  it('does not take a value that looks like a fragment for one', () => {
    const { text, values } = sql`select ${{ text: 'version()' }}`
    expect(text).toBe('select $1')
    expect(values).toEqual([{ text: 'version()' }])
  })

  it('keeps its name, and refuses another fragment in the same place', () => {
    const read = (columns: unknown) => sql`select ${columns} from card`
    expect(read(COLUMNS).name).toBe(read(COLUMNS).name)
    expect(() => read(OTHERS)).toThrow('Another fragment')
    expect(() => read('id')).toThrow('Another fragment')
    expect(planEachTime(read(COLUMNS)).name).toBeUndefined()
  })
})

it('a fragment can be part of another, and be about the table with an alias', () => {
  expect(fragment`${COLUMNS}, created_at`.text).toBe('id, name, created_at')
  expect(aliased('c', fragment`${COLUMNS}, created_at`).text).toBe('c.id, c.name, c.created_at')
})
