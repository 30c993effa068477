// How the console is built: hashed files, split by page, compressed once here instead of on every request.
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './build/compress-files.ts'
import { CHUNKS } from './build/join-chunks.ts'
import { listPages } from './build/list-pages.ts'
import { preloadFrame } from './build/preload-frame.ts'

const sdk = (file: string) => fileURLToPath(new URL(`../sdk/src/${file}`, import.meta.url))

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), listPages(), preloadFrame(), compressFiles()],
  // From its sources, because the entrance for the console is not in the package that others install.
  resolve: {
    alias: [
      { find: /^~\//, replacement: fileURLToPath(new URL('src/', import.meta.url)) },
      { find: /^@cardstock\/sdk$/, replacement: sdk('index.ts') },
      { find: /^@cardstock\/sdk\/actions$/, replacement: sdk('generated/actions.ts') },
      { find: /^@cardstock\/sdk\/bulk$/, replacement: sdk('bulk.ts') },
      { find: /^@cardstock\/sdk\/csv$/, replacement: sdk('csv.ts') },
      { find: /^@cardstock\/sdk\/console$/, replacement: sdk('console.ts') },
      { find: /^@cardstock\/sdk\/statements$/, replacement: sdk('statements.ts') },
    ],
  },
  // The caller clears the screen if it wants to.
  clearScreen: false,
  logLevel: 'warn',
  build: {
    target: 'es2022',
    emptyOutDir: true,
    // The security policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    // The tests read from it which files the first load fetches.
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
})
