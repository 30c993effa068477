// The workflows for a public host, which this machine cannot run: they run what exists here, on the systems that CONTRIBUTING.md names.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8')
const manifest = JSON.parse(read('package.json')) as { scripts: Record<string, string>; repository: { url: string } }
const home = manifest.repository.url.replace(/^git\+|\.git$/g, '')

it('every push is checked by .ci/run, and only the systems that are supported must pass', () => {
  const text = read('.github/workflows/check.yml')
  expect(text).toContain('run: .ci/run')
  expect(existsSync(fileURLToPath(new URL('../.ci/run', import.meta.url)))).toBe(true)
  const systems = [...text.matchAll(/system: ([\w.-]+), supported: (true|false)/g)].map(([, name, must]) => [
    name,
    must,
  ])
  expect(systems).toEqual([
    ['ubuntu-24.04', 'true'],
    ['ubuntu-24.04-arm', 'true'],
    ['macos-15', 'false'],
    ['windows-2025', 'false'],
  ])
})

it('the workflows run scripts that package.json has, and none has more permissions than it names', () => {
  for (const name of readdirSync(fileURLToPath(new URL('../.github/workflows', import.meta.url)))) {
    const text = read(`.github/workflows/${name}`)
    for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g)) expect(manifest.scripts).toHaveProperty([script])
    expect(text, name).toMatch(/^permissions:/m)
  }
})

it('a release publishes every package with provenance', () => {
  const text = read('.github/workflows/release.yml')
  expect(text).toContain('for name in sdk cli server; do npm publish --provenance')
  expect(text).toContain('id-token: write')
})

it('the form for vulnerabilities is that of the repository which package.json names', () => {
  for (const path of ['SECURITY.md', '.github/ISSUE_TEMPLATE/config.yml'])
    expect(read(path)).toContain(`${home}/security/advisories/new`)
})
