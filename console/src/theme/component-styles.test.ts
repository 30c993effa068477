// Every component of Mantine comes with its styles: from the list that all pages load, or from the file that uses it. One without them
// still works, and looks broken.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('..', import.meta.url))
const STYLES = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles/Button.layer.css'))
const ALL = new Set(readdirSync(STYLES).flatMap((name) => /^(.+)\.layer\.css$/.exec(name)?.[1] ?? []))
/** Components that are drawn with the styles of another one, too. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  Checkbox: ['InlineInput'],
  Radio: ['InlineInput'],
  Switch: ['InlineInput'],
  Drawer: ['ModalBase'],
}

const loadedBy = (text: string) => [...text.matchAll(/core\/styles\/(\w+)\.layer\.css/g)].map(([, name = '']) => name)
const usedBy = (text: string) =>
  [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .flatMap((name) => [name, ...(PARTS[name] ?? [])])
    .filter((name) => ALL.has(name))

const everywhere = loadedBy(readFileSync(join(SRC, 'theme/mantine.css'), 'utf8'))
const users = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(SRC, name), 'utf8') }))
  .filter(({ text }) => usedBy(text).length > 0)

test.each(users)('$name has the styles of its components', ({ text }) => {
  const loaded = new Set([...everywhere, ...loadedBy(text)])
  expect(usedBy(text).filter((name) => !loaded.has(name))).toEqual([])
})
