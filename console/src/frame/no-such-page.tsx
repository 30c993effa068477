// An address that no page has.
import { Button } from '@mantine/core'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Empty } from '~/ui/notice.tsx'
import { PageHeading, Panel } from '~/ui/page.tsx'

export function NoSuchPage() {
  return (
    <>
      <PageHeading title="Page not found" />
      <Panel>
        <Empty
          icon="search"
          title="There is no page at this address"
          action={
            <Button component={Go} href={paths.overview()}>
              Go to overview
            </Button>
          }
        >
          Check the address, or press Ctrl K to find a page or an object.
        </Empty>
      </Panel>
    </>
  )
}
