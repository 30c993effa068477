// Packs the published packages into a folder: `npm run pack -- <folder> [version]`. Two runs with the same sources write the same bytes.
// Another version than ours is for trials of an upgrade.
import '../server/bin/require-node.mjs'
import { mkdirSync } from 'node:fs'
import { ensureBuilt } from './build.mjs'
import { packAll } from './pack/pack-all.mjs'

const [folder = 'packages', version] = process.argv.slice(2)
if (version !== undefined && !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) {
  console.error(`${version} is not a version, such as 1.0.1.`)
  process.exit(2)
}
ensureBuilt()
mkdirSync(folder, { recursive: true })
for (const file of packAll(folder, { version })) console.log(file)
