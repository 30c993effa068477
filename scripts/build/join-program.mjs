// Joins the compiled modules of the server into a program of a few files, because loading more than a thousand small ones was most of the time
// of a start. It is a program of its own: `node join-program.mjs FOLDER`.
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { PACKAGES } from '../pack/package-contents.mjs'

const dist = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'server/dist')
const providersFolder = join(dist, 'adapter/providers')
const providers = readdirSync(providersFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory())

/** Every other package stays a package, so that an operator can audit and replace it. */
const isJoined = (id) => PACKAGES.server.joins.some((name) => id === name || id.startsWith(`${name}/`))

const bundle = await rolldown({
  // The processes of a group, a thread and each provider of cards begin at an entry of their own.
  input: {
    main: join(dist, 'main.js'),
    child: join(dist, 'child.js'),
    'pdf-worker': join(dist, 'card-account/pdf/worker.js'),
    ...Object.fromEntries(
      providers.map(({ name }) => [`providers/${name}/definition`, join(providersFolder, name, 'definition.js')]),
    ),
  },
  platform: 'node',
  external: (id, importer) => importer !== undefined && /^[@a-z]/i.test(id) && !isJoined(id),
  logLevel: 'warn',
})
await bundle.write({
  dir: process.argv[2],
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
})
await bundle.close()
