#!/usr/bin/env node
// The `cardstock` command of the package @cardstock/cli. In a checkout, run server/bin/cardstock.mjs, which compiles first and has more commands.
import './require-node.mjs'

await import('../dist/main.js')
