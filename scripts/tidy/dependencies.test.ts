// A dependency without a row in the ADR is reported, and one with a row is not.
import { expect, it } from 'vitest'
import { checkDependencies } from './dependencies.ts'

const ADR = {
  path: 'docs/adr/0006-dependencies.md',
  text: '| Package | Saves |\n| --- | --- |\n| `known`, tests: `tested` | work, unlike `passing` |\n| `@scope/*` | work |\n',
}
const manifest = (path: string, content: object) => ({ path, text: JSON.stringify(content, null, 2) })
const check = (content: object) =>
  checkDependencies([manifest('a/package.json', content), manifest('b/package.json', { name: '@own/b' })], ADR)

it('accepts what the first cell of a row names, and what is in the repository', () => {
  const dependencies = { known: '1.0.0', '@own/b': '1.0.0' }
  const optionalDependencies = { '@scope/linux': '1.0.0' }
  expect(check({ dependencies, devDependencies: { tested: '1.0.0' }, optionalDependencies })).toEqual([])
})

it.each(['dependencies', 'devDependencies', 'optionalDependencies'])('reports one of %s without a row', (kind) => {
  const message = (name: string) => `${name} has no row in docs/adr/0006-dependencies.md`
  expect(check({ [kind]: { known: '1.0.0', passing: '1.0.0', '@other/linux': '1.0.0' } })).toEqual([
    { path: 'a/package.json', line: 4, message: message('passing') },
    { path: 'a/package.json', line: 5, message: message('@other/linux') },
  ])
})
