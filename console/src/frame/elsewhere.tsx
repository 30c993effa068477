// A link to a page of a company that the person does not belong to. It tells only what the link itself says.
import { Button } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'
import type { Place } from '~/api/place.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Empty } from '~/ui/notice.tsx'
import { PageHeading, Panel } from '~/ui/page.tsx'

export function Elsewhere({ place: { companyId, environment } }: { place: Place }) {
  const { me, company, may } = useWorkplace()
  const own = may('programme') ? (
    <Button component={Go} href={paths.company(companyId)}>
      Open company as an operator
    </Button>
  ) : (
    <Button component={Go} href={paths.overview()}>
      {company === undefined ? 'Go to overview' : `Go to ${company.name}`}
    </Button>
  )
  return (
    <>
      <PageHeading title="This link belongs to another company" />
      <Panel>
        <Empty icon="building" title={`You do not belong to ${companyId}`} action={own}>
          The link opens {environment === 'live' ? 'live' : 'the sandbox'} of the company {companyId}. You are signed in
          as {me.email}. Ask an owner of that company to invite you, or sign in with an account that belongs to it.
        </Empty>
      </Panel>
    </>
  )
}
