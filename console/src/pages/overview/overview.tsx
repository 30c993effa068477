// The overview: the balance, what needs a person, and the latest activity.
import { Button } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Columns, PageHeading, Stack } from '~/ui/page.tsx'
import { Attention } from './attention.tsx'
import { BalancePanel } from './balance.tsx'
import { FirstSteps } from './first-steps.tsx'
import { ForYou } from './for-you.tsx'
import { LatestOperations, LatestPayments, useLatestPayments } from './latest.tsx'

export default function Overview() {
  const { may } = useWorkplace()
  const cards = useData('cards', ['first'], (client, options) => client.cards.list({ limit: 1 }, options), {
    isEnabled: may('cards:read'),
    isMoving: true,
  })
  const payments = useLatestPayments()
  const isNew = cards.data?.data.length === 0 || payments.data?.data.length === 0
  // The first steps push everything down, so nothing is shown until they are known to be there or not. All of it is read meanwhile.
  const isOpen = ![cards, payments].some(({ isLoading, failureCount }) => isLoading && failureCount === 0)
  return (
    <>
      <PageHeading
        title="Overview"
        actions={
          may('cards:write') ? (
            <Button component={Go} href={paths.issueCard()}>
              Issue card
            </Button>
          ) : undefined
        }
      />
      <Stack isHidden={!isOpen}>
        {isNew && cards.data !== undefined ? <FirstSteps card={cards.data.data[0]} /> : null}
        <Columns
          main={<BalancePanel />}
          side={
            <>
              {may('operations:read') ? <Attention /> : null}
              <ForYou />
            </>
          }
        />
        {may('operations:read') ? <LatestOperations /> : null}
        {may('cards:read') ? <LatestPayments /> : null}
      </Stack>
    </>
  )
}
