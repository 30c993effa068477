// What a page shows when its code fails: what to do, and what to report to the operator. The frame around it still works.
import { Button } from '@mantine/core'
import { Problem } from '~/ui/notice.tsx'
import { PageHeading, Stack } from '~/ui/page.tsx'

export function PageCrash({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <Stack>
      <PageHeading title="This page cannot be shown" />
      <Problem error={error} />
      <div>
        <Button variant="default" onClick={reset}>
          Try again
        </Button>
      </div>
    </Stack>
  )
}
