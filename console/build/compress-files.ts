// Writes a .br and a .gz file beside every file of the build that compresses well.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** index.html is not among them: the server writes a nonce into it. Fonts are compressed already. */
const COMPRESSIBLE = /\.(js|css|svg)$/
/** One below the best, which takes three times as long for one percent. */
const BROTLI_QUALITY = 10

export function compressFiles(): Plugin {
  return {
    name: 'compress-files',
    apply: 'build',
    writeBundle({ dir = '' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!COMPRESSIBLE.test(name)) continue
        const path = join(dir, name)
        const bytes = readFileSync(path)
        const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
