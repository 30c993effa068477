// Joins the compiled modules of the server into a program of a few files, because loading more than a thousand small ones was most of the time
// of a start. It is a program of its own: `node join-program.mjs FOLDER`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { PACKAGES } from '../pack/package-contents.mjs'

const dist = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'server/dist')
const providersFolder = join(dist, 'adapter/providers')
const providers = readdirSync(providersFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory())

/** Every other package stays a package, so that an operator can audit and replace it. */
const isJoined = (id) => PACKAGES.server.joins.some((name) => id === name || id.startsWith(`${name}/`))

/**
 * Leaves the packages of others out. One in CommonJS is loaded with `require` where its first import is: an import also searches its text for
 * the names that it exports, and took Node 20 twice as much CPU. `node:http` is required, too: an import reads all that it exports, and since
 * version 22 that loads a client for HTTP.
 */
const keepPackages = {
  name: 'keep-packages',
  async resolveId(id, importer, { kind }) {
    if (importer === undefined || !/^[@a-z]/i.test(id) || isJoined(id)) return null
    if (kind !== 'import-statement') return { id, external: true }
    if (id === 'node:http') return `${REQUIRED}${id}`
    if (id.startsWith('node:')) return { id, external: true }
    const found = await this.resolve(id, importer, { kind, skipSelf: true })
    return isRequired(id, importer, found?.id) ? `${REQUIRED}${id}` : { id, external: true }
  },
  load(id) {
    if (!id.startsWith(REQUIRED)) return null
    return `module.exports = require(${JSON.stringify(id.slice(REQUIRED.length))})`
  },
}
/** As for all modules that no file has, the name begins with a character that no path has. */
const REQUIRED = '\0required:'

/** What an import of these finds is a module that passes on what `require` finds. */
const PASSED_ON = new Set(['commander', 'pg'])

/** Whether an import finds CommonJS, and `require` finds the same. */
function isRequired(id, importer, file) {
  if (PASSED_ON.has(id)) return true
  return file !== undefined && isCommonJs(file) && createRequire(importer).resolve(id) === file
}

function isCommonJs(file) {
  return file.endsWith('.cjs') || (file.endsWith('.js') && readManifestAbove(file).type !== 'module')
}

function readManifestAbove(file) {
  let folder = dirname(file)
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

const bundle = await rolldown({
  // The processes of a group, a thread and each provider of cards begin at an entry of their own.
  input: {
    main: join(dist, 'main.js'),
    early: join(dist, 'early.js'),
    child: join(dist, 'child.js'),
    'pdf-worker': join(dist, 'card-account/pdf/worker.js'),
    ...Object.fromEntries(
      providers.map(({ name }) => [`providers/${name}/definition`, join(providersFolder, name, 'definition.js')]),
    ),
  },
  platform: 'node',
  plugins: [keepPackages],
  logLevel: 'warn',
})
await bundle.write({
  dir: process.argv[2],
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
})
await bundle.close()
