// Facts that are written in two places agree: the commands and docs/cli.md, the SDK's lists of values and the server's,
// and the overrides in package.json and their explanation.
import { readFileSync } from 'node:fs'
import { EXIT } from '@cardstock/cli'
import * as sdk from '@cardstock/sdk'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { SERVER_COMMANDS } from '../../../cli/src/server-commands.ts'
import { PERMISSIONS } from '../../src/access/permissions.ts'
import { CARD_STATUSES } from '../../src/cards/states.ts'
import { createProgram } from '../../src/cli/program.ts'
import { HOLDER_KINDS, HOLDER_STATUSES } from '../../src/holders/schema.ts'
import { ENVIRONMENTS } from '../../src/lib/scope.ts'
import { ENTRY_KINDS } from '../../src/card-account/rules.ts'
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../src/transactions/states.ts'

const sink = { write: () => true }
const { command: program, examples } = createProgram({ out: sink, err: sink, environ: {} })
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const text = read('docs/cli.md')

/** Those that the help shows, without `help` itself. */
function listVisible(command: Command): Command[] {
  const shown = command.createHelp().visibleCommands(command)
  return command.commands.filter((child) => shown.includes(child))
}

function listCommands(command: Command, name = command.name()): [string, Command][] {
  // A group with options of its own, such as `issuer`, is a command too.
  const isCommand = command.commands.length === 0 || (command.parent !== null && command.options.length > 0)
  const children = listVisible(command).flatMap((child) => listCommands(child, `${name} ${child.name()}`))
  return isCommand ? [[name, command], ...children] : children
}

describe('docs/cli.md', () => {
  const commands = listCommands(program)
  const sections = new Map(
    text
      .split(/^### /m)
      .slice(1)
      .map((section) => [/^`(.+)`/.exec(section)?.[1] ?? '', section.split(/^## /m)[0] ?? '']),
  )

  test('has one section for each command, in the same order, and no others', () => {
    expect([...sections.keys()]).toEqual(commands.map(([name]) => name))
  })

  test.each(commands)('%s explains every option, and no others', (name, command) => {
    const known = command.options.filter(({ hidden }) => !hidden).map((option) => option.long ?? '')
    const written = new Set((sections.get(name) ?? '').match(/--[a-z][a-z0-9-]*/g))
    written.delete('--json')
    expect([...written].toSorted()).toEqual(known.toSorted())
  })

  test('explains every global option and every exit code', () => {
    const flags = program.options.map((option) => option.long ?? '').filter((long) => long !== '--version')
    for (const long of flags) expect(text).toContain(`\`${long}\``)
    for (const code of Object.values(EXIT)) expect(text).toMatch(new RegExp(`^\\| ${code} +\\|`, 'm'))
  })
})

describe('--help', () => {
  const commands = listCommands(program)
  const names = commands.map(([name]) => name.replace(/^cardstock /, ''))

  test('begins with examples for every command, and there are no other examples', () => {
    expect(Object.keys(examples)).toEqual(names)
  })

  test.each(Object.entries(examples))('%s: the examples use this command and existing options', (name, lines) => {
    const command = commands.find(([path]) => path === `cardstock ${name}`)?.[1]
    const known = new Set([...(command?.options ?? []), ...program.options].map((option) => option.long))
    for (const line of lines) {
      expect(line).toContain(`cardstock ${name}`)
      for (const flag of line.match(/--[a-z][a-z0-9-]*/g) ?? []) expect(known).toContain(flag)
    }
    expect(command?.helpInformation()).toBeDefined()
  })

  const groups = new Set(
    names.flatMap((name) => name.split(' ').map((_, index, words) => words.slice(0, index).join(' '))),
  )
  test.each([...groups])('of the group "%s" begins with examples too', async (name) => {
    let out = ''
    const { run } = createProgram({
      out: { write: (part) => (out += Buffer.from(part).toString()) },
      err: sink,
      environ: {},
    })
    expect(await run([...name.split(' '), '--help'].filter((word) => word !== ''))).toBe(EXIT.done)
    expect(out).toMatch(new RegExp(`^Examples:\\n  cardstock ${name}`))
  })
})

test('the command of a company knows which commands only the command of a server has', () => {
  const own = program.createHelp().visibleCommands(program)
  const server = own.filter((command) => command.helpGroup() === 'Server and maintenance:')
  expect(SERVER_COMMANDS).toEqual(server.map((command) => command.name()))
})

describe('the former names of the commands of an operator', () => {
  const hidden = program.commands.filter((child) => !listVisible(program).includes(child))
  const admin = program.commands.find((child) => child.name() === 'admin')

  test('are those under admin, with the same options and arguments, and no others', () => {
    const describeAll = (commands: readonly Command[]) =>
      commands
        .flatMap((child) => listCommands(child))
        .map(([name, { options, registeredArguments }]) => [
          name,
          options.map(({ flags }) => flags),
          registeredArguments.map((argument) => argument.name()),
        ])
    expect(hidden.length).toBeGreaterThan(10)
    expect(describeAll(hidden)).toEqual(describeAll(admin?.commands ?? []))
  })

  test('are not in the help, which has a heading for each kind of command', () => {
    const help = program.helpInformation()
    for (const { name } of hidden.map((child) => ({ name: child.name() })))
      expect(help).not.toMatch(new RegExp(`^  ${name} `, 'm'))
    const headings = [...help.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(['Options', 'Server and maintenance', 'Operator', 'Company', 'Developer', 'Commands'])
  })
})

test('docs/authentication.md explains every scope, and no others', () => {
  const explained = [...read('docs/authentication.md').matchAll(/^\| `([a-z]+:[a-z]+)`/gm)].map(([, scope]) => scope)
  expect(new Set(explained)).toEqual(new Set(PERMISSIONS))
})

describe('@cardstock/sdk', () => {
  test.each([
    ['SCOPES', sdk.SCOPES, PERMISSIONS],
    ['ENVIRONMENTS', sdk.ENVIRONMENTS, ENVIRONMENTS],
    ['HOLDER_KINDS', sdk.HOLDER_KINDS, HOLDER_KINDS],
    ['HOLDER_STATUSES', sdk.HOLDER_STATUSES, HOLDER_STATUSES],
    ['CARD_STATUSES', sdk.CARD_STATUSES, CARD_STATUSES],
    ['TRANSACTION_TYPES', sdk.TRANSACTION_TYPES, TRANSACTION_TYPES],
    ['TRANSACTION_STATUSES', sdk.TRANSACTION_STATUSES, TRANSACTION_STATUSES],
    ['ENTRY_KINDS', sdk.ENTRY_KINDS, ENTRY_KINDS],
  ])('%s are the values of the server', (_name, ours, theirs) => {
    expect(ours).toEqual(theirs)
  })
})

test('docs/adr/0006-dependencies.md explains every override in package.json, and no others', () => {
  const { overrides } = JSON.parse(read('package.json')) as { overrides: Record<string, string> }
  const section = read('docs/adr/0006-dependencies.md')
    .split(/^## /m)
    .find((part) => part.startsWith('Why `package.json`'))
  const explained = [...(section ?? '').matchAll(/^\| `([^`]+)` (\S+) +\|/gm)].map(([, name, version]) => [
    name,
    version,
  ])
  expect(Object.fromEntries(explained)).toEqual(overrides)
})
