#!/usr/bin/env node
// The `cardstock` command. In a checkout it first compiles what changed; an installed package has only dist.
import './require-node.mjs'
import { existsSync } from 'node:fs'

const build = new URL('../../scripts/build.mjs', import.meta.url)
if (existsSync(build)) {
  await import('./require-port.mjs')
  const { ensureBuilt } = await import(build.href)
  ensureBuilt()
}
// Any option may mean that no other process is needed.
if (process.argv.slice(2).join(' ') === 'serve') await import('../program/dist/early.js')
await import('../program/dist/main.js')
