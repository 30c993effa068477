// How this program was installed: as the package @cardstock/server, or in a checkout. Messages name the command that the reader has.
import { existsSync } from 'node:fs'
import { packagePath } from '../lib/package-path.ts'

/** A package has no scripts, and bin/cardstock.mjs asks the same. */
const BUILD = packagePath('../scripts/build.mjs')

const isCheckout = existsSync(BUILD)

/** In a checkout, documents and help say `cardstock` for `node server/bin/cardstock.mjs`. */
export const PROGRAM_NAME = isCheckout ? 'cardstock' : 'cardstock-server'

/** Starts a server. */
export const START_COMMAND = isCheckout ? 'npm start' : 'cardstock-server serve'
