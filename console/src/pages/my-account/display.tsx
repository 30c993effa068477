// How times are shown to you, in this browser.
import { NativeSelect } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'
import { now } from '~/lib/clock.ts'
import { useStore } from '~/lib/store.ts'
import { chooseZone, listZones, UTC, zone } from '~/lib/zone.ts'
import { FormColumn, Panel } from '~/ui/page.tsx'
import { formatTime } from '~/ui/time.tsx'

export function Display() {
  const { me } = useWorkplace()
  const chosen = useStore(zone)
  const { own, all } = listZones()
  const others = all.filter((name) => name !== own && name !== UTC)
  return (
    <Panel title="Display">
      <FormColumn>
        <NativeSelect
          label="Time zone"
          description={`For all times in this browser. Now: ${formatTime(new Date(now()).toISOString())}. Statements and date filters always use UTC.`}
          value={chosen}
          data={[
            { value: UTC, label: 'UTC' },
            ...(own === UTC ? [] : [{ value: own, label: `${own} (this browser)` }]),
            ...others.map((name) => ({ value: name, label: name.replaceAll('_', ' ') })),
          ]}
          onChange={(event) => chooseZone(me.id, event.currentTarget.value)}
        />
      </FormColumn>
    </Panel>
  )
}
