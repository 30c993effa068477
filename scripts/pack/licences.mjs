// The licences of other projects' code that the server installs or contains: what npm installs with it, and what the console's bundle is made
// of, with the fonts. The texts are those of the installed packages.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listPinned } from './pinned.mjs'

const OURS = ['@cardstock/cli', '@cardstock/private-postgres', '@cardstock/sdk']
const LICENCE_FILE = /^(?:licen[cs]e|copying|ofl)/i
const RULE = '='.repeat(80)

const PARTS = [
  { workspace: 'server', title: 'Installed with the server or contained in it' },
  { workspace: 'cli', title: 'Contained in the package of the command line' },
  { workspace: 'console', title: 'Contained in the web console, as far as it is used' },
]

/** Returns other projects' packages with the part of ours that needs them; a package that several need is listed for each. */
export function listThirdParty(root) {
  return PARTS.flatMap(({ workspace }) => listPinned(root, workspace, OURS).map((found) => ({ ...found, workspace })))
}

export function makeLicences(root) {
  const all = listThirdParty(root)
  const parts = PARTS.map(({ workspace, title }) => {
    const lines = all
      .filter((found) => found.workspace === workspace)
      .map(({ name, version, license }) => `${name} ${version} (${license})`)
    return `${title}:\n\n${lines.map((line) => `  ${line}`).join('\n')}\n`
  })
  const texts = new Map()
  for (const found of all) {
    const text = readText(root, found)
    texts.set(text, [...(texts.get(text) ?? []), `${found.name} ${found.version}`])
  }
  const sections = [...texts].map(([text, names]) => `${RULE}\n${[...new Set(names)].join('\n')}\n\n${text.trim()}\n`)
  return `Licences of other projects' code in Cardstock\n\n${parts.join('\n')}\n${sections.join('\n')}`
}

/** A package for another platform is not installed here; the text is the one of the package for this platform. */
function readText(root, { name, place, license }) {
  const [scope] = name.split('/')
  const folder = existsSync(join(root, place)) ? join(root, place) : findSibling(root, scope)
  if (folder === undefined) throw new Error(`${name} is not installed, so its licence is not known. Run npm ci.`)
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file))
  if (files.length > 0)
    return files.map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()).join('\n\n')
  const { author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const by = typeof author === 'string' ? author : author?.name
  return `The package has no licence text. It names the licence ${license}${by === undefined ? '' : ` and the author ${by}`}.`
}

function findSibling(root, scope) {
  const parent = join(root, 'node_modules', scope)
  const [sibling] = existsSync(parent) ? readdirSync(parent) : []
  return sibling === undefined ? undefined : join(parent, sibling)
}
