// Shows a page if the person's role allows it, and says so if not.
import { type ReactNode, Suspense } from 'react'
import { useWorkplace } from '../api/company.tsx'
import type { Page } from '../lib/page.ts'
import { Delayed, Lines } from '../ui/loaded.tsx'
import { Empty } from '../ui/notice.tsx'
import { PageHeading, Panel } from '../ui/page.tsx'

export function PageSlot({ page, children }: { page: Page; children: ReactNode }) {
  const { may, company, environment } = useWorkplace()
  if (may(page.needs)) {
    return (
      // Another company or environment is another page: nothing typed for one may be sent to the other.
      <Suspense key={`${company?.id} ${environment}`} fallback={<Delayed>{<Lines count={6} />}</Delayed>}>
        {children}
      </Suspense>
    )
  }
  return (
    <>
      <PageHeading title={page.title} />
      <Panel>
        <Empty icon="shield" title="Your role does not include this page">
          {company === undefined
            ? 'You belong to no company. Ask the operator.'
            : `You are ${company.role} of ${company.name}. Ask an owner of the company for another role.`}
        </Empty>
      </Panel>
    </>
  )
}
