// `cardstock open [PAGE]`: prints the address of a page of the console, and opens it in a browser if this machine has one.
import { spawn } from 'node:child_process'
import { Argument, type Command } from 'commander'
import { findAddress } from '../connect.ts'
import { NoServerError, UsageError } from '../failure.ts'
import { findProfile } from '../profiles.ts'
import type { Context } from '../context.ts'

/** The pages of the console that a person opens by name. */
const PAGES: Readonly<Record<string, string>> = {
  overview: '/',
  account: '/account',
  fund: '/fund',
  cards: '/cards',
  holders: '/holders',
  services: '/services',
  operations: '/operations',
  transactions: '/transactions',
  keys: '/developers/keys',
  webhooks: '/developers/webhooks',
  events: '/developers/events',
  logs: '/developers/logs',
  team: '/team',
}

/** The page of an object, by the beginning of its id. */
const PAGE_OF_OBJECT: Readonly<Record<string, string>> = {
  card: '/cards',
  op: '/operations',
  inv: '/fund',
  hld: '/holders',
  txn: '/transactions',
  we: '/developers/webhooks',
  evt: '/developers/events',
}

/** The program that opens an address in the person's browser, by platform. */
const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' }

/** The pages are only offered: an id is an answer, too. */
function pageArgument(): Argument {
  const argument = new Argument('[page]', 'page of the console, or id of an object').default('overview')
  argument.argChoices = Object.keys(PAGES)
  return argument
}

export function registerOpen(program: Command, context: Context): void {
  const { environ, output } = context
  program
    .command('open')
    .description('open a page of the console in the browser, and print its address')
    .addArgument(pageArgument())
    .action(async (page: string) => {
      const url = requireConsole(context) + requirePath(page)
      const out = output()
      out.result({ url }, () => url)
      const isOpened = await open(url, environ)
      if (!isOpened) out.note('No browser could be started here. Open the address in yours.')
    })
}

function requirePath(page: string): string {
  const path = PAGES[page]
  if (path !== undefined) return path
  const [, prefix = ''] = /^([a-z]+)_\w+$/.exec(page) ?? []
  const folder = PAGE_OF_OBJECT[prefix]
  if (folder !== undefined) return `${folder}/${page}`
  throw new UsageError(
    `There is no page ${page}. Give the id of an object, or one of ${Object.keys(PAGES).join(', ')}.`,
  )
}

/** The console has the address of the API. No key is needed to find it. */
function requireConsole({ environ, globals, readKept }: Context): string {
  const options = globals()
  const found = findAddress(options, environ) ?? findProfile(environ, options)?.url ?? readKept().kept?.baseUrl
  if (found !== undefined) {
    // Without a user name and a password, which must not be shown.
    const { origin, pathname } = new URL(found)
    return (origin + pathname).replace(/\/+$/, '')
  }
  throw new NoServerError('The address of the server is not known. Set CARDSTOCK_URL, or run cardstock login.')
}

/** Returns whether the program that opens addresses has started. It outlives this command. */
function open(url: string, environ: Context['environ']): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(OPENERS[process.platform] ?? 'xdg-open', [url], {
      env: environ,
      stdio: 'ignore',
      detached: true,
    })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
