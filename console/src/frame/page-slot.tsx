// Shows a page if the person's role allows it, and says so if not.
import { capitalised } from '~/lib/capitalised.ts'
import { useRouter } from '@tanstack/react-router'
import { useId } from '~/lib/use-id.ts'
import { type ReactNode, Suspense, useEffect } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import type { Page } from '~/page.ts'
import { PATTERNS, paths } from '~/paths.ts'
import { useStore } from '~/lib/store.ts'
import { zone } from '~/lib/zone.ts'
import { isPlaced, joinPlace } from '~/api/place.ts'
import { useGo } from '~/ui/go.tsx'
import { Delayed, Lines } from '~/ui/loaded.tsx'
import { Empty } from '~/ui/notice.tsx'
import { PageHeading, Panel } from '~/ui/page.tsx'
import { Elsewhere } from './elsewhere.tsx'

export function PageSlot({ page, children }: { page: Page; children: ReactNode }) {
  const { may, company, environment, elsewhere } = useWorkplace()
  const id = useId()
  // All times of the page are written again in another zone.
  const shownZone = useStore(zone)
  useAddressWithPlace(page)
  if (elsewhere !== undefined) return <Elsewhere place={elsewhere} />
  if (may(page.needs)) {
    return (
      // Another company, environment or object is another page: nothing typed for one may be sent to the other.
      <Suspense
        key={`${company?.id} ${environment} ${id} ${shownZone}`}
        fallback={<Delayed>{<Lines count={6} />}</Delayed>}
      >
        {children}
      </Suspense>
    )
  }
  if (page.path === PATTERNS.overview && may('programme')) return <ToProgramme />
  return (
    <>
      <PageHeading title={page.title} />
      <Panel>
        <Empty icon="shield" title="Your role does not include this page">
          {company === undefined
            ? 'You belong to no company. Ask the operator.'
            : `Your role at ${company.name} is ${capitalised(company.role)}. Ask an owner of the company for another role.`}
        </Empty>
      </Panel>
    </>
  )
}

/** Adds the company and the environment to the address of a page that was opened without them. */
function useAddressWithPlace({ path }: Page): void {
  const router = useRouter()
  const { company, environment, elsewhere } = useWorkplace()
  const companyId = company?.id
  useEffect(() => {
    if (companyId === undefined || elsewhere !== undefined || !isPlaced(path)) return
    const { pathname, search, hash } = router.history.location
    const address = joinPlace({ companyId, environment }, pathname)
    if (address !== pathname) router.history.replace(address + search + hash, router.history.location.state)
  }, [router, companyId, environment, elsewhere, path])
}

/** Operators without a company start on the page of the programme. */
function ToProgramme() {
  const go = useGo()
  useEffect(() => {
    go(paths.programme(), { replace: true })
  }, [go])
  return null
}
