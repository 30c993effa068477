// `cardstock admin person …`: manages the people of a company, or of the programme without --company. Only invite and reset may print
// a link, which works once.
import type { CreatedInvitation, Invitation, Person, ResetLink } from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { UsageError } from '../failure.ts'
import { limitOption, printList, take } from '../list.ts'
import { type Column, formatFields, type Output } from '../output.ts'
import type { Context } from '../context.ts'

/** The roles of access/permissions.ts, repeated here so that --help need not load it. */
const ROLES = ['owner', 'developer', 'finance', 'viewer', 'operator', 'support'] as const
type Role = (typeof ROLES)[number]

const COLUMNS: readonly Column<Person>[] = [
  { title: 'ID', cell: (person) => person.id },
  { title: 'ROLE', cell: (person) => person.role },
  { title: 'SECOND FACTOR', cell: (person) => (person.hasSecondFactor ? 'yes' : 'no') },
  { title: 'LAST SEEN', cell: (person) => person.lastSeenAt },
  { title: 'E-MAIL', isText: true, cell: (person) => person.email },
  { title: 'NAME', isText: true, cell: (person) => person.name },
]
const INVITATION_COLUMNS: readonly Column<Invitation>[] = [
  { title: 'ID', cell: (invitation) => invitation.id },
  { title: 'STATUS', cell: (invitation) => invitation.status },
  { title: 'ROLE', cell: (invitation) => invitation.role },
  { title: 'EXPIRES', cell: (invitation) => invitation.expiresAt },
  { title: 'E-MAIL', isText: true, cell: (invitation) => invitation.email },
  { title: 'INVITED BY', isText: true, cell: (invitation) => invitation.createdBy },
]

interface Place {
  company?: string
}

const companyOption = () => new Option('--company <company>', 'id of the company; without it, the programme itself')
const placeOf = ({ company }: Place) => (company === undefined ? {} : { companyId: company })

export function registerPerson(program: Command, context: Context): void {
  const group = program.command('person').description('the people of a company, or of the programme')
  registerInvite(group, context)
  registerList(group, context)
  registerRole(group, context)
  registerRemove(group, context)
  registerReset(group, context)
  registerInvitations(group, context)
}

function registerInvite(group: Command, { connect, output }: Context): void {
  group
    .command('invite')
    .description('make a link with which somebody joins, and show it, once')
    .argument('<email>', 'e-mail address of the person')
    .addOption(new Option('--role <role>', 'what the person may do').choices(ROLES).makeOptionMandatory())
    .addOption(companyOption())
    .action(async (email: string, { role, ...place }: Place & { role: Role }) => {
      printInvitation(output(), await connect().invitations.create({ email, role, ...placeOf(place) }))
    })
}

function printInvitation(output: Output, invitation: CreatedInvitation): void {
  output.result(invitation, () =>
    formatFields({
      id: invitation.id,
      email: invitation.email,
      role: invitation.role,
      expires: invitation.expiresAt,
      link: invitation.url,
    }),
  )
  output.note(`The link is shown once and works once. ${adviceOf(invitation)}`)
}

/** An older server does not say whether it mails the link. */
function adviceOf({ mail }: Pick<CreatedInvitation, 'mail'>): string {
  return mail === 'waiting' ? 'The server is mailing it to the person.' : 'Pass it on; the server does not mail it.'
}

function registerList(group: Command, { connect, output }: Context): void {
  group
    .command('list')
    .description('list people')
    .addOption(companyOption())
    .addOption(limitOption())
    .action(async ({ limit, ...place }: Place & { limit: number }) => {
      const { people } = connect()
      printList(output(), await take((query) => people.list({ ...query, ...placeOf(place) }), limit), COLUMNS)
    })
}

function registerRole(group: Command, { connect, output }: Context): void {
  group
    .command('role')
    .description('change the role of a person')
    .argument('<person>', 'id or e-mail address of the person')
    .addArgument(group.createArgument('<role>', 'what the person may do from now on').choices(ROLES))
    .addOption(companyOption())
    .action(async (person: string, role: Role, place: Place) => {
      const { people } = connect()
      const changed = await people.changeRole(await findPersonId(people, person, place), { role, ...placeOf(place) })
      output().result(changed, () => `${changed.name} <${changed.email}> is ${changed.role} now.`)
    })
}

function registerRemove(group: Command, { connect, output }: Context): void {
  group
    .command('remove')
    .description('take all rights of a person away, in a company or in the programme')
    .argument('<person>', 'id or e-mail address of the person')
    .addOption(companyOption())
    .action(async (person: string, place: Place) => {
      const { people } = connect()
      const id = await findPersonId(people, person, place)
      await people.remove(id, placeOf(place))
      output().result({ id, removed: true }, () => `${person} is removed.`)
    })
}

function registerReset(group: Command, { connect, output }: Context): void {
  group
    .command('reset')
    .description('make a link for somebody who cannot sign in, and show it, once')
    .argument('<person>', 'id or e-mail address of the person')
    .option(
      '--remove-second-factor',
      'the link also removes the app, the recovery codes and all passkeys of the person',
    )
    .addOption(companyOption())
    .action(async (person: string, options: Place & { removeSecondFactor?: true }) => {
      const { people } = connect()
      const id = await findPersonId(people, person, options)
      printLink(output(), await people.reset(id, { removeSecondFactor: options.removeSecondFactor === true }))
    })
}

function printLink(output: Output, link: ResetLink): void {
  output.result(link, () => formatFields({ expires: link.expiresAt, link: link.url }))
  output.note('The link is shown once and works once. Give it only to the person.')
}

function registerInvitations(group: Command, { connect, output }: Context): void {
  group
    .command('invitations')
    .description('list invitations')
    .addOption(companyOption())
    .addOption(limitOption())
    .action(async ({ limit, ...place }: Place & { limit: number }) => {
      const { invitations } = connect()
      const page = await take((query) => invitations.list({ ...query, ...placeOf(place) }), limit)
      printList(output(), page, INVITATION_COLUMNS)
    })
  group
    .command('revoke')
    .description('revoke an invitation immediately')
    .argument('<invitation>', 'id of the invitation')
    .action(async (id: string) => {
      await connect().invitations.revoke(id)
      output().result({ id, revoked: true }, () => `${id} is revoked.`)
    })
}

type People = ReturnType<Context['connect']>['people']

/** An e-mail address is looked up among the people of the place. */
async function findPersonId(people: People, person: string, place: Place): Promise<string> {
  if (!person.includes('@')) return person
  const wanted = person.toLowerCase()
  for await (const { id, email } of people.list({ limit: 100, ...placeOf(place) })) if (email === wanted) return id
  throw new UsageError(
    `Nobody here has the address ${person}. See: cardstock admin person list${place.company === undefined ? '' : ` --company ${place.company}`}`,
  )
}
