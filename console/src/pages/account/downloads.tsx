// The statement as a file: for a spreadsheet, for printing, or with its proof.
import { Button, Menu } from '@mantine/core'
import type { StatementFormat } from '@cardstock/sdk'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { saveFile } from '~/lib/save-file.ts'
import { Icon } from '~/ui/icon.tsx'
import { Problem } from '~/ui/notice.tsx'
import type { Range } from '~/lib/ranges.ts'

const FORMATS: readonly { readonly format: StatementFormat; readonly title: string }[] = [
  { format: 'csv', title: 'CSV for spreadsheets' },
  { format: 'pdf', title: 'PDF for printing' },
  { format: 'json', title: 'JSON with proof' },
]
/** A PDF of a year waits for its turn and takes a while. */
const TIMEOUT_MS = 120_000

export function Downloads({ range }: { range: Range }) {
  const { client } = useWorkplace()
  const download = useAction(async (format: StatementFormat) => {
    const stream = await client.statements.download(range, format, {
      timeoutMs: TIMEOUT_MS,
      totalTimeoutMs: TIMEOUT_MS,
    })
    saveFile(await new Response(stream).blob(), `statement-${range.from}-${range.to}.${format}`)
  })
  return (
    <div>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={download.isBusy} rightSection={<Icon name="chevron" size={16} />}>
            Download statement
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map(({ format, title }) => (
            <Menu.Item key={format} onClick={() => void download.run(format)}>
              {title}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Problem error={download.error} />
    </div>
  )
}
