// The entry of a `serve` without options, before main.ts: starts the first process of the group at once, so that it loads the server while this
// process loads the command line.
import { forkEarly } from './cli/process/group/fork.ts'

const { ISSUER_CARDS, ISSUER_INVOICES } = process.env

// With an issuer beside the server, the processes that serve get another environment: the keys of providers must not enter them.
if (!ISSUER_CARDS && !ISSUER_INVOICES) forkEarly()
