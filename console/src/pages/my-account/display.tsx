// How times are shown to you.
import { NativeSelect } from '@mantine/core'
import { api } from '~/api/client.ts'
import { now } from '~/lib/clock.ts'
import { useStore } from '~/lib/store.ts'
import { listZones, UTC, zone } from '~/lib/zone.ts'
import { Problem } from '~/ui/notice.tsx'
import { FormColumn, Panel } from '~/ui/page.tsx'
import { formatTime } from '~/ui/time.tsx'
import { toast } from '~/ui/toast.ts'
import { useAccountAction } from './account-action.ts'

export function Display() {
  const chosen = useStore(zone)
  const choose = useAccountAction(
    (name: string) => api.account.setTimeZone({ timeZone: name === UTC ? null : name }),
    () => toast('Time zone saved.'),
  )
  const { own, all } = listZones()
  const others = all.filter((name) => name !== own && name !== UTC)
  return (
    <Panel title="Display">
      <Problem error={choose.error} />
      <FormColumn>
        <NativeSelect
          label="Time zone"
          description={`For all times in the console. Now: ${formatTime(new Date(now()).toISOString())}. Statements and date filters always use UTC.`}
          value={chosen}
          disabled={choose.isBusy}
          data={[
            { value: UTC, label: 'UTC' },
            ...(own === UTC ? [] : [{ value: own, label: `${own} (this browser)` }]),
            ...others.map((name) => ({ value: name, label: name.replaceAll('_', ' ') })),
          ]}
          onChange={(event) => void choose.run(event.currentTarget.value)}
        />
      </FormColumn>
    </Panel>
  )
}
