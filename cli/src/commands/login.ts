// `cardstock login`, `logout` and `whoami`: a key that later commands use. The key is read from standard input, because an
// argument could be read by other users of the machine.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Cardstock } from '@cardstock/sdk'
import type { Command } from 'commander'
import { findAddress } from '../connect.ts'
import { UsageError } from '../failure.ts'
import { formatFields } from '../output.ts'
import { chooseProfile, PROFILE_DEFAULT, readProfiles, listProfiles, writeProfiles } from '../profiles.ts'
import type { Context } from '../context.ts'

const URL_DEFAULT = 'http://127.0.0.1:8080'

export function registerLogin(program: Command, context: Context): void {
  registerEnter(program, context)
  registerLeave(program, context)
  registerWhoami(program, context)
}

function registerEnter(program: Command, { environ, globals, output, readKept }: Context): void {
  program
    .command('login')
    .description('save an API key for later commands; the key is read from standard input')
    .action(async () => {
      const profile = chooseProfile(environ, globals()) ?? PROFILE_DEFAULT
      const url = findAddress(globals(), environ) ?? readKept().kept?.baseUrl ?? URL_DEFAULT
      output().note(`API key for ${url}, as profile ${profile} (it is not shown):`)
      const apiKey = await readSecret()
      if (!/^cstk_(sandbox|live)_/.test(apiKey))
        throw new UsageError('This is not an API key: one begins with cstk_sandbox_ or cstk_live_.')
      // Every key may read the products, so this says whether the server takes the key.
      await new Cardstock({ baseUrl: url, apiKey }).products.list()
      const { profiles } = readProfiles(environ)
      const path = writeProfiles(environ, { current: profile, profiles: { ...profiles, [profile]: { url, apiKey } } })
      const environment = environmentOf(apiKey)
      output().result({ profile, url, environment, file: path }, () =>
        formatFields({ profile, server: url, environment, 'kept in': path }),
      )
    })
}

function registerLeave(program: Command, { environ, globals, output }: Context): void {
  program
    .command('logout')
    .description('delete the saved API key')
    .action(() => {
      const { current, profiles } = readProfiles(environ)
      const name = chooseProfile(environ, globals()) ?? current
      const { [name]: removed, ...rest } = profiles
      if (removed === undefined) throw new UsageError(`There is no profile ${name}. ${listProfiles(profiles)}.`)
      const first = Object.keys(rest)[0] ?? PROFILE_DEFAULT
      writeProfiles(environ, { current: rest[current] === undefined ? first : current, profiles: rest })
      output().result(
        { profile: name, removed: true },
        () => `The key of ${name} is forgotten here. It still works elsewhere.`,
      )
    })
}

function registerWhoami(program: Command, { connectCompany, output }: Context): void {
  program
    .command('whoami')
    .description('show the server, the environment and the key that commands use')
    .action(async () => {
      const { api, token } = connectCompany()
      await api.products.list()
      const who = { url: api.baseUrl, environment: environmentOf(token), key: `…${token.slice(-4)}` }
      output().result(who, () => formatFields({ server: who.url, environment: who.environment, key: who.key }))
    })
}

function environmentOf(key: string): string {
  return key.startsWith('cstk_live_') ? 'live' : 'sandbox'
}

/** Reads one line. On a terminal it is not echoed. */
async function readSecret(): Promise<string> {
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: muted, terminal: process.stdin.isTTY })
  for await (const line of lines) {
    lines.close()
    return line.trim()
  }
  throw new UsageError('No key was given. Pipe it in: cardstock login < file')
}
