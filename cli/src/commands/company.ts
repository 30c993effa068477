// `cardstock admin company …`: creates companies and decides their verification, suspension and activations.
import {
  type CapabilityChange,
  type Company,
  COMPANY_KINDS,
  type CompanyKind,
  type VerificationDecision,
} from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { limitOption, printList, take } from '../list.ts'
import { type Column, formatFields, type Output } from '../output.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<Company>[] = [
  { title: 'ID', cell: (company) => company.id },
  { title: 'KIND', cell: (company) => company.kind },
  { title: 'VERIFICATION', cell: (company) => company.verification },
  { title: 'SUSPENDED', cell: (company) => (company.suspended ? 'yes' : 'no') },
  { title: 'CREATED', cell: (company) => company.createdAt },
  { title: 'NAME', isText: true, cell: (company) => company.name },
]

export function registerCompany(program: Command, context: Context): void {
  const group = program.command('company').description('companies, their verification and activations')
  registerCreate(group, context)
  registerRead(group, context)
  registerVerify(group, context)
  registerSuspension(group, context)
  registerCapabilities(group, context)
}

function registerCreate(group: Command, { connect, output }: Context): void {
  group
    .command('create')
    .description('create a company')
    .requiredOption('--name <name>', 'name of the company')
    .addOption(new Option('--kind <kind>', 'kind of company').choices(COMPANY_KINDS).makeOptionMandatory())
    .action(async ({ name, kind }: { name: string; kind: CompanyKind }) => {
      print(output(), await connect().companies.create({ name, kind }))
    })
}

function registerRead(group: Command, { connect, output }: Context): void {
  group
    .command('list')
    .description('list companies')
    .option('--pending', 'show only companies that wait for a decision about their verification')
    .addOption(limitOption())
    .action(async ({ pending = false, limit }: { pending?: boolean; limit: number }) => {
      const { companies } = connect()
      const filter = pending ? ({ verification: 'pending' } as const) : {}
      printList(output(), await take((query) => companies.list({ ...filter, ...query }), limit), COLUMNS)
    })
  group
    .command('show')
    .alias('get')
    .description('show one company')
    .argument('<id>', 'id of the company')
    .action(async (id: string) => print(output(), await connect().companies.get(id)))
}

function registerVerify(group: Command, { connect, output }: Context): void {
  group
    .command('verify')
    .description('approve a company, or reject it')
    .argument('<id>', 'id of the company')
    .option('--reject', 'reject instead of approve')
    .option('--reason <reason>', 'reason, for the audit log')
    .action(async (id: string, { reject, reason }: { reject?: true; reason?: string }) => {
      const decision: VerificationDecision = { decision: reject === true ? 'reject' : 'approve' }
      if (reason !== undefined) decision.reason = reason
      print(output(), await connect().companies.decideVerification(id, decision))
    })
}

function registerSuspension(group: Command, { connect, output }: Context): void {
  const register = (name: string, description: string, suspended: boolean) =>
    group
      .command(name)
      .description(description)
      .argument('<id>', 'id of the company')
      .requiredOption('--reason <reason>', 'reason, for the audit log')
      .action(async (id: string, { reason }: { reason: string }) => {
        print(output(), await connect().companies.changeSuspension(id, { suspended, reason }))
      })
  register('suspend', 'stop all writes of a company; it may still read, and freeze and close cards', true)
  register('resume', 'let a suspended company write again', false)
}

type Switch = 'on' | 'off'

function registerCapabilities(group: Command, { connect, output }: Context): void {
  group
    .command('capabilities')
    .description('switch live services and direct invoices on or off; without an option, show them')
    .argument('<id>', 'id of the company')
    .addOption(new Option('--live-services <switch>', 'allow operations in live').choices(['on', 'off']))
    .addOption(new Option('--direct-invoices <switch>', 'allow funding invoices in live').choices(['on', 'off']))
    .action(async (id: string, options: { liveServices?: Switch; directInvoices?: Switch }) => {
      const change: CapabilityChange = {}
      if (options.liveServices !== undefined) change.liveServices = options.liveServices === 'on'
      if (options.directInvoices !== undefined) change.directInvoices = options.directInvoices === 'on'
      const { companies } = connect()
      const isQuestion = Object.keys(change).length === 0
      print(output(), isQuestion ? await companies.get(id) : await companies.changeCapabilities(id, change))
    })
}

function print(output: Output, company: Company): void {
  output.result(company, () =>
    formatFields({
      id: company.id,
      name: company.name,
      kind: company.kind,
      verification: company.verification,
      suspended: company.suspended ? 'yes' : 'no',
      'live services': company.capabilities.liveServices ? 'on' : 'off',
      'direct invoices': company.capabilities.directInvoices ? 'on' : 'off',
      created: company.createdAt,
    }),
  )
}
